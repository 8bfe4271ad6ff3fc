/// A move of a recorded program: an action was reduced, a run ended, or both at once.
package struct RecordedMove<Action: Sendable>: Sendable {
  package let action: Action?
  /// The run that acted; `nil` for an action from outside.
  package let run: RecordedRun?
  package var end: MoveEnd
  /// The move in words, with the number of its action.
  package let text: String

  package init(action: Action?, run: RecordedRun?, end: MoveEnd = .continues, text: String) {
    (self.action, self.run, self.end, self.text) = (action, run, end, text)
  }
}

/// A run of a recorded program.
package struct RecordedRun: Sendable {
  /// Unique in its recording.
  package let generation: UInt64
  /// The name of its connection.
  package let name: String
  /// Whether the run began with this request.
  package let isRequest: @Sendable (any Hashable & Sendable) -> Bool

  package init(
    generation: UInt64, name: String, isRequest: @escaping @Sendable (any Hashable & Sendable) -> Bool
  ) {
    (self.generation, self.name, self.isRequest) = (generation, name, isRequest)
  }
}
