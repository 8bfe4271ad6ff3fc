import Foundation

/// A mutex around a value. What is called under it is the module's own code, never the user's.
final class Lock<Value>: @unchecked Sendable {  // every access to the value is made with the mutex held
  private let mutex = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    mutex.lock()
    defer { mutex.unlock() }
    return try body(&value)
  }
}
