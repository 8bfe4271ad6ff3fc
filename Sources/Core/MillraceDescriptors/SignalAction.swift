#if !canImport(WASILibc)  // which has no signals
extension sigaction {
  /// The function called for the signal, or `SIG_DFL` or `SIG_IGN`. Each C library has another name for this field.
  package var handler: (@convention(c) (Int32) -> Void)? {
    get { self[keyPath: Self.field] }
    set { self[keyPath: Self.field] = newValue }
  }

  private static var field: WritableKeyPath<sigaction, (@convention(c) (Int32) -> Void)?> {
    #if canImport(Darwin)
    \.__sigaction_u.__sa_handler
    #elseif canImport(Glibc)
    \.__sigaction_handler.sa_handler
    #elseif canImport(Musl)
    \.__sa_handler.sa_handler
    #else
    \.sa_handler
    #endif
  }
}
#endif
