#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#endif

package enum StandardError {
  /// Writes one line.
  package static func write(line: String) {
    let bytes = Array("\(line)\n".utf8)
    #if canImport(Darwin)
    _ = bytes.withUnsafeBytes { Darwin.write(2, $0.baseAddress, $0.count) }
    #elseif canImport(Glibc)
    _ = bytes.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
    #elseif canImport(Musl)
    _ = bytes.withUnsafeBytes { Musl.write(2, $0.baseAddress, $0.count) }
    #endif
  }
}

enum ProcessEnvironment {
  /// The number in an environment variable; `nil` where there is none.
  static func number(_ name: String) -> UInt64? {
    getenv(name).flatMap { UInt64(String(cString: $0)) }  // a C string, copied at once
  }
}
