#if canImport(Glibc)
@preconcurrency import Glibc
#endif

/// The memory that the process has allocated and not freed since the meter was made.
///
/// Reads the totals of glibc's `malloc_info`. The system's module map leaves that function out, so it is looked up by
/// name. Other systems count nothing.
struct MemoryMeter: Sendable {
  private let start: Int

  /// Begins once the process no longer frees memory of earlier work.
  static func atRest() async throws -> MemoryMeter {
    var last = allocated ?? 0
    var calm = 0
    for _ in 0..<200 where calm < 5 {
      try await Task.sleep(for: .milliseconds(10))
      let now = allocated ?? 0
      calm = abs(now - last) < 1024 ? calm + 1 : 0
      last = now
    }
    return MemoryMeter(start: last)
  }

  /// Whether allocations can be counted on this system.
  static var countsAllocations: Bool { allocated != nil }

  /// The bytes allocated since the start and not freed, divided by `count`.
  func bytes(per count: Int) -> Double { Double((Self.allocated ?? 0) - start) / Double(count) }

  /// Waits until the process no longer frees memory, then counts. The last drain of many turns frees much memory after
  /// them.
  func bytesAtRest(per count: Int) async throws -> Double {
    Double(try await Self.atRest().start - start) / Double(count)
  }

  #if canImport(Glibc)
  private typealias Info = @convention(c) (CInt, UnsafeMutablePointer<FILE>) -> CInt

  private static var allocated: Int? {
    guard let symbol = dlsym(nil, "malloc_info") else { return nil }
    let info = unsafeBitCast(symbol, to: Info.self)  // its signature in <malloc.h>
    var text: UnsafeMutablePointer<CChar>?
    var length = 0
    guard let stream = open_memstream(&text, &length) else { return nil }
    let status = info(0, stream)
    fclose(stream)
    defer { free(text) }
    guard status == 0, let text else { return nil }
    return allocated(in: text)
  }

  /// The memory taken from the system without its free part, from the totals at the end of the text.
  private static func allocated(in info: UnsafePointer<CChar>) -> Int? {
    var totals = info
    while let end = strstr(totals, "</heap>") { totals = UnsafePointer(end + 1) }
    guard let system = size("<system type=\"current\"", in: totals),
      let mapped = size("<total type=\"mmap\"", in: totals),
      let fast = size("<total type=\"fast\"", in: totals),
      let rest = size("<total type=\"rest\"", in: totals)
    else { return nil }
    return system + mapped - fast - rest
  }

  private static func size(_ element: String, in totals: UnsafePointer<CChar>) -> Int? {
    let attribute = "size=\""
    guard let start = strstr(totals, element), let size = strstr(start, attribute) else { return nil }
    return strtol(size + attribute.utf8.count, nil, 10)
  }
  #else
  private static var allocated: Int? { nil }
  #endif

  /// The resident memory of the process in bytes; `nil` if the system does not report it.
  static var resident: Int? {
    #if os(Linux) && canImport(Glibc)
    guard let file = fopen("/proc/self/statm", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, CInt(line.count), file) != nil else { return nil }
    let fields = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self).split(
      separator: " ")
    return fields.count > 1 ? Int(fields[1]).map { $0 * sysconf(CInt(_SC_PAGESIZE)) } : nil
    #else
    nil
    #endif
  }
}
