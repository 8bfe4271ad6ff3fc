import Millrace

/// Receives the signals that the state asks for, instead of their default action.
///
/// ```swift
/// store.connect(SignalEffect(), to: \.signals, action: AppAction.signal, longRunning: true)
/// ```
///
/// While a signal is in the state, it does not end or stop the process. When it leaves the state, the earlier handling
/// is restored. So to let a second Control-C end the program, remove `.interrupt` from the state after the first.
/// Several effects may listen to one signal. Signals of one kind in quick succession may be reported as one, as usual
/// on Unix systems.
///
/// A signal before ``SignalEvent/listening(_:)`` still has its earlier effect. A program that reports to be ready, such
/// as a server that prints its address, should wait for that event first.
public struct SignalEffect: EffectComponent {
  /// Makes the effect.
  public init() {}

  /// Returns every signal in the state.
  public func requests(in signals: Set<ProcessSignal>) -> Set<ProcessSignal> { signals }

  /// Sends `.listening` once the effect listens, and then each signal, until the run is stopped.
  public func run(_ signal: ProcessSignal, send: Send<SignalEvent>) async throws(SignalFailure) {
    var arrivals = try SignalListeners.process.arrivals(of: signal).makeAsyncIterator()
    guard await send(.listening(signal)) == .reduced else { return }
    while await withWaitReason("the signal", { await arrivals.next() }) != nil {
      guard await send(.received(signal)) == .reduced else { return }
    }
  }

  /// Returns ``SignalEvent/failed(_:_:)``.
  public func action(for failure: SignalFailure, of signal: ProcessSignal) -> SignalEvent {
    .failed(signal, failure)
  }
}

/// An event of a ``SignalEffect``.
public enum SignalEvent: Codable, Hashable, Sendable {
  /// The effect listens to the signal, which no longer has its default effect. Two signals in quick succession may be
  /// reported as one, as usual on Unix systems.
  case listening(ProcessSignal)
  /// The signal was received.
  case received(ProcessSignal)
  /// The effect cannot listen to the signal.
  case failed(ProcessSignal, SignalFailure)
}

/// The reason why an effect cannot listen to a signal.
public struct SignalFailure: Error, Codable, Hashable, Sendable {
  /// The system's error number, such as `EMFILE` when the process has too many files open.
  public var errorNumber: Int32

  /// Makes a failure, for tests.
  public init(errorNumber: Int32) { self.errorNumber = errorNumber }
}
