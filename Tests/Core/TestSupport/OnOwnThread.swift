import Foundation

/// Runs what blocks on a thread of its own, where it holds up no other test. What it expects is to be
/// told by its result: an issue recorded there belongs to no test.
package func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws
  -> Value
{
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Result { try body() }) }.start()
  }
}

/// Runs `body` on `count` threads of their own at once, each with its number, and returns when all have ended.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
  await withTaskGroup { group in
    for number in 0..<count {
      group.addTask {
        await withCheckedContinuation { continuation in
          Thread {
            body(number)
            continuation.resume()
          }
          .start()
        }
      }
    }
  }
}

/// Runs `body` on a thread of its own, which has `stackSize` bytes of stack if told, and returns when it has ended.
package func onThread<Result: Sendable>(
  stackSize: Int? = nil, _ body: @escaping @Sendable () -> Result
) async -> Result {
  await withCheckedContinuation { continuation in
    let thread = Thread { continuation.resume(returning: body()) }
    if let stackSize { thread.stackSize = stackSize }
    thread.start()
  }
}
