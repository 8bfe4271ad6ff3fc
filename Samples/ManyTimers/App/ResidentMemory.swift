import Foundation

/// The resident memory of the process.
enum ResidentMemory {
  /// In bytes; `nil` if the system does not report it.
  static var bytes: Int? {
    #if os(Linux)
    // The second field is the number of resident pages.
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let fields = text.split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    #else
    return nil
    #endif
  }
}
