#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#elseif canImport(Android)
@preconcurrency import Android
#elseif canImport(WASILibc)
@preconcurrency import WASILibc
#endif

/// The variables that a process is given, as the bytes they are: two names that look alike are two variables, and what
/// is no UTF-8 is handed on as it is.
struct EnvironmentVariables {
  private(set) var values: [[UInt8]: [UInt8]] = [:]

  /// - Throws: `notPassable` for a name that is empty or has a `=` in it, and for zero bytes.
  init(
    _ environment: SubprocessEnvironment, inherited: () -> [[UInt8]] = EnvironmentVariables.ofThisProcess
  ) throws(SubprocessFailure) {
    switch environment {
    case .exactly(let exactly):
      for (name, value) in exactly { try set(name, to: value) }
    case .inheriting(let changes):
      for entry in inherited() {
        // A name may begin with `=`, as some systems have it.
        guard let end = entry.dropFirst().firstIndex(of: UInt8(ascii: "=")) else { continue }
        let name = Array(entry[..<end])
        // The first counts, as for `getenv`.
        if values[name] == nil { values[name] = Array(entry[(end + 1)...]) }
      }
      for (name, value) in changes { try set(name, to: value) }
    }
  }

  /// The entries as `posix_spawn` takes them.
  var entries: [[UInt8]] { values.map { $0.key + [UInt8(ascii: "=")] + $0.value } }

  private mutating func set(_ name: String, to value: String?) throws(SubprocessFailure) {
    let bytes = Array(name.utf8)
    guard !bytes.isEmpty, !bytes.contains(UInt8(ascii: "=")), !bytes.contains(0),
      value?.utf8.contains(0) != true
    else { throw .notPassable("\(name)=\(value ?? "")") }
    values[bytes] = value.map { Array($0.utf8) }
  }

  /// The entries of this process, as they are now.
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
