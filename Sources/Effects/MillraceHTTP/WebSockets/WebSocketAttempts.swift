import MillraceEffects

/// Decides whether and when a WebSocket is opened again.
struct WebSocketAttempts {
  enum Next: Equatable {
    case connect(after: Duration)
    case close
  }

  private let request: WebSocketRequest
  /// The number of the next attempt, counted from the last connection over which the server has sent something.
  private(set) var attempt = 1

  init(_ request: WebSocketRequest) { self.request = request.withoutOutgoing }

  /// A connection is over, or could not be made.
  mutating func connectionEnded(_ end: WebSocketEnd, wasUsed: Bool) -> Next {
    guard end.isTransient else { return .close }
    attempt = wasUsed ? 2 : attempt + 1
    var least: Duration?
    if case .failed(let failure) = end { least = failure.retryDelay }
    let backoff = request.backoff.spread(over: request)
    return .connect(after: min(backoff.delay(before: attempt, atLeast: least), TimerLimits.longestWait))
  }
}
