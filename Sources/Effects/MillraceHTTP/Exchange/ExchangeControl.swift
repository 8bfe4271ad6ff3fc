import Millrace

/// Ends an exchange from outside, whatever it is doing.
///
/// | state | guarded by | ends |
/// |---|---|---|
/// | `failure` | the lock | with the exchange |
/// | `transfer` | the lock | when the next one begins, or with the exchange |
final class ExchangeControl: Sendable {
  private struct State {
    var failure: HTTPFailure?
    var transfer: HTTPTransfer?
  }

  private let state = Lock(State())

  /// The exchange goes on with `transfer`, which ends at once if the exchange was given up before.
  func continues(with transfer: HTTPTransfer) {
    let failure = state.withLock { state in
      state.transfer = transfer
      return state.failure
    }
    if let failure { transfer.abandon(failure) }
  }

  /// Why the exchange was given up, if it was.
  var failure: HTTPFailure? { state.withLock { $0.failure } }

  /// Gives the exchange up. The first failure counts.
  func abandon(_ failure: HTTPFailure) {
    let transfer = state.withLock { state -> HTTPTransfer? in
      if state.failure == nil { state.failure = failure }
      return state.transfer
    }
    transfer?.abandon(failure)
  }
}
