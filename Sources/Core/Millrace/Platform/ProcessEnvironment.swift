import MillraceDescriptors

enum ProcessEnvironment {
  /// The number in an environment variable; `nil` if there is none.
  static func number(_ name: String) -> UInt64? {
    getenv(name).flatMap { UInt64(String(cString: $0)) }  // a C string, copied at once
  }
}
