import Foundation

/// Runs `body` on a thread of its own, which has `stackSize` bytes of stack if told, and returns when it has ended.
func onThread<Result: Sendable>(
  stackSize: Int? = nil, _ body: @escaping @Sendable () -> Result
) async -> Result {
  await withCheckedContinuation { continuation in
    let thread = Thread { continuation.resume(returning: body()) }
    if let stackSize { thread.stackSize = stackSize }
    thread.start()
  }
}
