import Foundation

/// The state that the server's threads share.
///
/// | field | guarded by | ends |
/// |---|---|---|
/// | `counted`, `held`, `stopped` | `condition` | with the server |
final class RequestLog: @unchecked Sendable {  // every access to a field is made under `condition`
  private let condition = NSCondition()
  private var counted: [String: Int] = [:]
  private var held: Set<String> = []
  private var stopped = false

  var counts: [String: Int] { condition.withLock { counted } }
  var isStopped: Bool { condition.withLock { stopped } }

  /// Counts a request and returns the number of requests for its target.
  func requestArrived(_ target: String) -> Int {
    condition.withLock {
      counted[target, default: 0] += 1
      return counted[target, default: 0]
    }
  }

  func hold(_ path: String) {
    condition.withLock { _ = held.insert(path) }
  }

  func release(_ path: String) {
    condition.withLock {
      held.remove(path)
      condition.broadcast()
    }
  }

  func waitUntilReleased(_ path: String) {
    condition.withLock {
      while held.contains(path), !stopped { condition.wait() }
    }
  }

  /// Marks the server as stopped. `false` if it already was.
  func stop() -> Bool {
    condition.withLock {
      defer {
        stopped = true
        condition.broadcast()
      }
      return !stopped
    }
  }
}
