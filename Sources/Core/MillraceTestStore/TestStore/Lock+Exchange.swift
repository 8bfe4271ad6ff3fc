import Millrace

extension Lock {
  /// Replaces the value, and returns the former one.
  package func exchange(_ value: Value) -> Value {
    withLock { current in
      defer { current = value }
      return current
    }
  }
}
