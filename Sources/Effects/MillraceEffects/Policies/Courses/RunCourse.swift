/// The progress of a run that acts by itself, as a value. An explorer keeps one for each such run.
package protocol RunCourse {
  /// Tells how far the run is. Two runs of one request with equal phases do the same from here on.
  var phase: [AnyHashable] { get }
  /// Whether the request is being served now, so that it may be answered.
  var isServed: Bool { get }
  /// The next steps that the run may make by itself.
  var dues: [DueAct] { get }
  /// The entrance before which it waits.
  var entry: Entry? { get }
  /// The entrances through which it has gone, and behind which it still is.
  var inside: [Entry] { get }

  /// Time passes, no more than is left until it acts.
  mutating func elapse(_ time: Duration)
  /// It does what is due, by its index in `dues`, and goes on.
  mutating func act(_ index: Int)
  /// It goes through its entrance.
  mutating func enter()
  /// It is not let through its entrance.
  ///
  /// - Parameter wait: how long it would have to wait; `nil` if that depends on another run.
  mutating func refuse(_ wait: Duration?)
  /// Takes out the entrances that it has left since this was last called. Of others behind which it is no more, the effect
  /// was stopped.
  mutating func takeExits() -> [Exit]
  /// The effect that does the work sends something.
  mutating func sends()
  /// The effect that does the work has returned or thrown.
  ///
  /// - Returns: `nil` if the run ends in the same way; otherwise that it answers in place of it, or repeats.
  mutating func end(by failure: (any Error)?) -> DueAct.Kind?
  /// The value of the request is replaced by another, which is handed over.
  mutating func handOver(_ request: any Hashable & Sendable)
}
