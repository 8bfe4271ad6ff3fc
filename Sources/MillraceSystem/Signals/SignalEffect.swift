import Millrace

/// Hears the signals that the state asks for, in place of what the system does about them by default.
///
/// ```swift
/// store.connect(SignalEffect(), to: \.signals, action: AppAction.signal, background: true)
/// ```
///
/// While a signal is in the state, it does not end or stop the process. When it leaves the state, what was
/// done about it before is done again: to let a second Control-C end the program, take `.interrupt` out of
/// the state when the first has come. Several effects may hear one signal. Signals of one kind that come in
/// quick succession may be told as one, as is the system's way.
///
/// A signal that comes before ``SignalEvent/listening(_:)`` does what it did before. A program that tells others
/// that it is ready, such as a server that prints its address, should wait for that event first.
public struct SignalEffect: EffectComponent {
  /// Makes the effect.
  public init() {}

  /// Every signal in the state.
  public func requests(in signals: Set<Signal>) -> Set<Signal> { signals }

  /// Sends `.listening` once the signal is heard, and then the signal whenever it comes, until the run is stopped.
  public func run(_ signal: Signal, send: Send<SignalEvent>) async throws(SignalFailure) {
    let arrivals = try SignalListeners.process.arrivals(of: signal)
    guard await send(.listening(signal)) == .reduced else { return }
    for await _ in arrivals {
      guard await send(.received(signal)) == .reduced else { return }
    }
  }

  /// `.failed`
  public func action(for failure: SignalFailure, of signal: Signal) -> SignalEvent {
    .failed(signal, failure)
  }
}

/// What a ``SignalEffect`` sends.
public enum SignalEvent: Hashable, Sendable {
  /// From now on the signal is heard: none that comes later is missed, or does what it did before.
  case listening(Signal)
  /// The signal came.
  case received(Signal)
  /// The signal cannot be heard.
  case failed(Signal, SignalFailure)
}

/// Why a signal cannot be heard.
public struct SignalFailure: Error, Hashable, Sendable {
  /// The system's error number, such as `EMFILE` when the process has too many files open.
  public var errorNumber: Int32

  /// Makes a failure, for tests that answer by hand.
  public init(errorNumber: Int32) { self.errorNumber = errorNumber }
}
