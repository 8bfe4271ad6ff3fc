import Millrace
import MillraceTesting

/// Counts how many are inside at a time.
final class Overlap: Sendable {
  private let counts = Lock((inside: 0, most: 0))

  /// The most that ever were inside at a time.
  var most: Int { counts.withLock(\.most) }

  func enter() {
    counts.withLock {
      $0.inside += 1
      $0.most = max($0.most, $0.inside)
    }
  }

  func leave() { counts.withLock { $0.inside -= 1 } }
}
