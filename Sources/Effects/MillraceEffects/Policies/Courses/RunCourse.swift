/// The progress of a run that acts by itself (its course), as a value. An explorer keeps one for each such run.
package protocol RunCourse {
  /// Identifies the progress. Two runs of one request with equal phases behave equally from here on.
  var phase: [AnyHashable] { get }
  /// Whether the request is being served, so that it may be answered.
  var isServed: Bool { get }
  /// The next acts that the run may make by itself.
  var dues: [DueAct] { get }
  /// The entrance before which the run waits.
  var entry: Entry? { get }
  /// The entrances that the run has entered and not left.
  var inside: [Entry] { get }

  /// Time passes, at most until the next act.
  mutating func elapse(_ time: Duration)
  /// The run makes the due act with this index in `dues`, and continues.
  mutating func act(_ index: Int)
  /// The run enters its entrance.
  mutating func enter()
  /// The run is refused at its entrance.
  ///
  /// - Parameter wait: the time that it would have to wait; `nil` if that depends on another run.
  mutating func refuse(_ wait: Duration?)
  /// Returns and removes the entrances left since the last call. An entrance that is missing from `inside` without such
  /// an exit was left because the effect was stopped.
  mutating func takeExits() -> [Exit]
  /// The innermost effect sends an action.
  mutating func sends()
  /// The innermost effect has returned or thrown.
  ///
  /// - Returns: what the run does instead, such as sending an answer or repeating; `nil` if the run ends in the same
  ///   way.
  mutating func end(by failure: (any Error)?) -> DueAct.Kind?
  /// Another value of the request is handed over.
  mutating func handOver(_ request: any Hashable & Sendable)
}

// A run without policies: it is served at once, and passes no entrance.
extension RunCourse {
  package var phase: [AnyHashable] { [] }
  package var isServed: Bool { true }
  package var dues: [DueAct] { [] }
  package var entry: Entry? { nil }
  package var inside: [Entry] { [] }

  package func elapse(_ time: Duration) {}
  package func act(_ index: Int) {}
  package func enter() {}
  package func refuse(_ wait: Duration?) {}
  package func takeExits() -> [Exit] { [] }
  package func sends() {}
  package func end(by failure: (any Error)?) -> DueAct.Kind? { nil }
  package func handOver(_ request: any Hashable & Sendable) {}
}
