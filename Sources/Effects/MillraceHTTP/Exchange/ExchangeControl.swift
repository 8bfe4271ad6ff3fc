import Millrace

/// Ends an exchange from outside, at any point.
///
/// | state | guarded by | until |
/// |---|---|---|
/// | `failure` | the lock | the exchange ends |
/// | `transfer` | the lock | the next one begins, or the exchange ends |
final class ExchangeControl: Sendable {
  private struct State {
    var failure: HTTPFailure?
    var transfer: HTTPTransfer?
  }

  private let state = Lock(State())

  /// The exchange continues with `transfer`, which ends at once if the exchange was given up before.
  func continues(with transfer: HTTPTransfer) {
    let failure = state.withLock { state in
      state.transfer = transfer
      return state.failure
    }
    if let failure { transfer.abandon(failure) }
  }

  /// The reason why the exchange was given up, if it was.
  var failure: HTTPFailure? { state.withLock { $0.failure } }

  /// Gives the exchange up. Only the first failure counts.
  func abandon(_ failure: HTTPFailure) {
    let transfer = state.withLock { state -> HTTPTransfer? in
      if state.failure == nil { state.failure = failure }
      return state.transfer
    }
    transfer?.abandon(failure)
  }
}
