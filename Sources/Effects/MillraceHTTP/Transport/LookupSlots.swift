/// Decides which transfer may look up the name of a host.
///
/// A look-up occupies a thread of libcurl until the name server answers or fails, even if no task waits for it.
struct LookupSlots {
  /// The largest number of look-ups at a time.
  static let most = 32

  private var running = 0
  private var waiting: [Int] = []

  /// Whether nothing runs and nothing waits.
  var isEmpty: Bool { running == 0 && waiting.isEmpty }

  /// A transfer wants to look up a name. Returns whether it may.
  mutating func wanted() -> Bool {
    guard running < Self.most else { return false }
    running += 1
    return true
  }

  /// A look-up has ended.
  mutating func ended() { running -= 1 }

  /// A transfer that may not look up its name waits for its turn.
  mutating func waits(_ number: Int) { waiting.append(number) }

  /// A transfer that may be waiting is no longer wanted.
  mutating func abandoned(_ number: Int) { waiting.removeAll { $0 == number } }

  /// Returns the transfers that may try again, in order.
  mutating func next() -> [Int] {
    defer { waiting.removeFirst(min(waiting.count, Self.most - running)) }
    return Array(waiting.prefix(Self.most - running))
  }
}
