/// The fate of a run whose request is replaced by another of the same identity.
public enum RequestReplacement: Sendable, Hashable {
  /// The old run is stopped and fenced; a new run starts when the old one has returned.
  case restart
  /// The run continues and receives the new value; nothing is fenced.
  case handOver
  /// While a run of the identity is live, the new value is ignored: it counts as finished, and is not served later.
  case ignore
}
