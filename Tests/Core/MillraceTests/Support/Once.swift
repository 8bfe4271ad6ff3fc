import Millrace

/// Tells the first call from all others.
final class Once: Sendable {
  private let isOver = Lock(false)

  var isFirst: Bool {
    isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
  }
}
