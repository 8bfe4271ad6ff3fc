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
    // There is no place to report that standard error fails.
    _ = Array("\(line)\n".utf8).withUnsafeBytes { DescriptorIO.writeAll($0, to: 2) }
  }
}

enum ProcessEnvironment {
  /// The number in an environment variable; `nil` where there is none.
  static func number(_ name: String) -> UInt64? {
    getenv(name).flatMap { UInt64(String(cString: $0)) }  // a C string, copied at once
  }
}
