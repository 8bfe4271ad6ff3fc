import Dispatch

/// Runs `body` on `count` threads outside the pool of the tasks, and returns when all have returned.
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) async {
  await withCheckedContinuation { continuation in
    let group = DispatchGroup()
    for thread in 0..<count {
      DispatchQueue.global().async(group: group) { body(thread) }
    }
    group.notify(queue: .global()) { continuation.resume() }
  }
}
