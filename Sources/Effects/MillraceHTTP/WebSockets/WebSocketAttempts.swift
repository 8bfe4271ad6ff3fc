import MillraceEffects

/// Decides whether and when to open a WebSocket again.
struct WebSocketAttempts {
  private let request: WebSocketRequest
  /// The number of the next attempt. It restarts when the server sends something.
  private(set) var attempt = 1

  init(_ request: WebSocketRequest) { self.request = request.withoutOutgoing }

  /// A connection has ended, or could not be made. Returns the delay before the next one; `nil` if none follows.
  mutating func connectionEnded(_ end: WebSocketEnd, wasUsed: Bool) -> Duration? {
    guard end.isTransient else { return nil }
    attempt = wasUsed ? 2 : attempt + 1
    var least: Duration?
    if case .failed(let failure) = end { least = failure.retryDelay }
    let backoff = request.backoff.spread(over: request)
    return min(backoff.delay(before: attempt, atLeast: least), TimerLimits.longestWait)
  }
}
