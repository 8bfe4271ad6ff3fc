/// A request with its identity. Two are equal if their requests are: a table compares only those of one identity.
struct AskedRequest: Equatable {
  let id: Erased
  let request: Erased

  static func == (left: AskedRequest, right: AskedRequest) -> Bool { left.request == right.request }
}

/// A run that has not returned, as its effect keeps it. An object: a copy of all this would count six references.
final class LiveRun {
  let run: Run
  let id: Erased
  let body: @Sendable () async -> Void
  /// Receives the later values of the request; `nil` unless the effect's `replacement` is `.handOver`.
  let handover: (any Handover)?
  /// The run as a test holds it, in place of its task.
  var held: HeldRun?
  /// The newest value that was handed over to it.
  var newest: (any Hashable & Sendable)?
  /// Its wait for the run before it.
  var behind: Wait?

  init(run: Run, id: Erased, body: @escaping @Sendable () async -> Void, handover: (any Handover)?) {
    (self.run, self.id, self.body, self.handover) = (run, id, body, handover)
  }
}

/// Receives the values that are handed over to a run.
protocol Handover: Sendable {
  /// Hands over the newest value.
  ///
  /// - Returns: what wakes a run that waits for it, to be called with no lock held.
  func hand(_ request: any Sendable) -> @Sendable () -> Void
  /// Takes the value that waits, for a run that a test holds.
  func take()
  /// The value that the run has taken last.
  var lastTaken: any Sendable { get }
  /// Ends the sequence when the run has returned.
  ///
  /// - Returns: whether a value that was handed over has not been taken.
  func close() -> Bool
}
