import Foundation

/// Runs `body` on two threads of its own at once, and returns when both calls have returned.
func onTwoThreads(_ body: @escaping @Sendable () -> Void) async {
  await withTaskGroup(of: Void.self) { group in
    let start = NSCondition()
    let arrived = Arrivals()
    for _ in 0..<2 {
      group.addTask {
        await withCheckedContinuation { continuation in
          Thread {
            start.withLock {
              arrived.count += 1
              start.broadcast()
              while arrived.count < 2 { start.wait() }
            }
            body()
            continuation.resume()
          }.start()
        }
      }
    }
  }
}

private final class Arrivals: @unchecked Sendable {  // read and written with the condition's lock held
  var count = 0
}
