import Millrace

/// Decides which transfer may begin, so that no host has more than a number of them at a time.
struct ConnectionSlots {
  private struct Queue {
    var running = 0
    var waiting = Fifo<Int>()
  }

  private let perHost: Int
  private var queues: [HTTPAddress.Origin: Queue] = [:]
  private var waiting: Set<Int> = []

  /// Makes slots. A limit below 1 counts as 1.
  init(perHost: Int) { self.perHost = max(1, perHost) }

  /// Whether nothing runs and nothing waits.
  var isEmpty: Bool { queues.isEmpty }

  /// A transfer is ready to begin. Returns whether it may begin at once; otherwise it waits for its turn.
  mutating func wanted(_ number: Int, at origin: HTTPAddress.Origin) -> Bool {
    var queue = queues.removeValue(forKey: origin) ?? Queue()
    defer { queues[origin] = queue }
    if queue.running < perHost {
      queue.running += 1
      return true
    }
    queue.waiting.append(number)
    waiting.insert(number)
    return false
  }

  /// A waiting transfer is no longer wanted. Returns whether it did wait.
  mutating func abandoned(_ number: Int) -> Bool { waiting.remove(number) != nil }

  /// A running transfer has ended. Returns the one that begins in its place, if any.
  mutating func ended(at origin: HTTPAddress.Origin) -> Int? {
    guard var queue = queues.removeValue(forKey: origin) else { return nil }
    while let number = queue.waiting.takeFirst() {
      guard waiting.remove(number) != nil else { continue }
      queues[origin] = queue
      return number
    }
    queue.running -= 1
    if queue.running > 0 { queues[origin] = queue }
    return nil
  }
}
