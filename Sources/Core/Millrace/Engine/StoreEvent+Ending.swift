import MillraceSpelling

extension StoreEvent {
  /// The way in which a run ended. After any ending, no action of the run is reduced.
  @nonexhaustive public enum Ending: Sendable {
    /// The body returned.
    case finished
    /// An action of the run itself, with the sequence number `action`, removed its request from the state. The run is
    /// stopped: its body may continue until it notices.
    case answered(action: UInt64)
    /// Another action, with the sequence number `action`, removed the request from the state, or replaced it under its
    /// identity. The run is stopped.
    case withdrawn(action: UInt64)
    /// The connection, its part of the state or its store ended. The run is stopped.
    case disconnected
    /// The body threw an error, which became an action of the effect.
    case failed(any Error, action: any Sendable)

    /// Whether the run's body may continue: the run was answered, withdrawn or disconnected.
    public var isStop: Bool {
      switch self {
      case .answered, .withdrawn, .disconnected: true
      case .finished, .failed: false
      }
    }
  }
}

extension StoreEvent.Ending: CustomStringConvertible {
  /// The ending in words, such as `withdrawn by action 12`.
  public var description: String {
    switch self {
    case .finished: "finished"
    case .answered(let action): "answered by its action \(action)"
    case .withdrawn(let action): "withdrawn by action \(action)"
    case .disconnected: "disconnected"
    case .failed(let error, _): "failed with \(Spelling.text(of: error))"
    }
  }
}
