import Millrace

/// A gate at which tasks wait until it opens.
final class Gate: Sendable {
  private struct Queue {
    var waiting: [UnsafeContinuation<Void, Never>] = []
    var arrivals = 0
    var expected = Int.max
    var watcher: UnsafeContinuation<Void, Never>?
  }

  private let queue: Lock<Queue>

  /// - Parameter capacity: the number of tasks that can wait without an allocation.
  init(capacity: Int) {
    var queue = Queue()
    queue.waiting.reserveCapacity(capacity)
    self.queue = Lock(queue)
  }

  /// The number of tasks that have reached it.
  var arrivals: Int { queue.withLock(\.arrivals) }

  /// Waits until the gate opens.
  func wait() async {
    await withUnsafeContinuation { continuation in
      let watcher = queue.withLock { queue -> UnsafeContinuation<Void, Never>? in
        queue.waiting.append(continuation)
        queue.arrivals += 1
        return queue.arrivals == queue.expected ? queue.watcher : nil
      }
      watcher?.resume()
    }
  }

  /// Returns when `count` tasks have reached it. For one caller.
  func isReached(by count: Int) async {
    await withUnsafeContinuation { continuation in
      let isReached = queue.withLock { queue in
        queue.expected = count
        queue.watcher = continuation
        return queue.arrivals >= count
      }
      if isReached { continuation.resume() }
    }
  }

  /// Resumes all waiting tasks.
  func open() {
    let waiting = queue.withLock { queue in
      defer { queue.waiting = [] }
      return queue.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
