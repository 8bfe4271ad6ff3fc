#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
import Foundation

/// The environment variables for a process, as bytes. Two names that look alike are two variables, and invalid UTF-8 is
/// passed on unchanged.
struct EnvironmentVariables {
  private(set) var values: [[UInt8]: [UInt8]] = [:]

  /// - Throws: `notPassable` if a name is empty or contains a `=`, or if there are zero bytes.
  init(
    _ environment: SubprocessEnvironment, inherited: () -> [[UInt8]] = EnvironmentVariables.ofThisProcess
  ) throws(SubprocessFailure) {
    switch environment {
    case .exactly(let exactly):
      for (name, value) in exactly { try set(name, to: value) }
    case .inheriting(let changes):
      for entry in inherited() {
        // Skips the first byte, since some systems have names that begin with `=`.
        guard let end = entry.dropFirst().firstIndex(of: UInt8(ascii: "=")) else { continue }
        let name = Array(entry[..<end])
        // The first entry of a name counts, as for `getenv`.
        if values[name] == nil { values[name] = Array(entry[(end + 1)...]) }
      }
      for (name, value) in changes { try set(name, to: value) }
    }
  }

  /// The entries in the format of `posix_spawn`.
  var entries: [[UInt8]] { values.map { $0.key + [UInt8(ascii: "=")] + $0.value } }

  private mutating func set(_ name: String, to value: String?) throws(SubprocessFailure) {
    let bytes = Array(name.utf8)
    guard !bytes.isEmpty, !bytes.contains(UInt8(ascii: "=")), !bytes.contains(0),
      value?.utf8.contains(0) != true
    else { throw .notPassable("\(name)=\(value ?? "")") }
    values[bytes] = value.map { Array($0.utf8) }
  }

  /// The current entries of this process.
  static func ofThisProcess() -> [[UInt8]] {
    #if canImport(Darwin)
    var next = _NSGetEnviron().pointee
    #else
    var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ  // a C array that ends with nil
    #endif
    var entries: [[UInt8]] = []
    while let here = next, let entry = here.pointee {
      entries.append(UnsafeBufferPointer(start: entry, count: strlen(entry)).map { UInt8(bitPattern: $0) })
      next = here + 1
    }
    return entries
  }
}
#endif
