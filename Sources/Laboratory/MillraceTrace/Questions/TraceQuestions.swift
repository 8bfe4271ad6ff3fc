/// Answers questions about a recording from within a program or a test, also while recording continues. The command
/// `millrace` answers the same questions about files.
///
/// ```swift
/// let questions = try await recording.questions()
/// print(questions.whyNot("swift"))
/// ```
///
/// Each answer is lines of text, made from the recording up to now. Costs time and memory in proportion to its length.
public struct TraceQuestions: Sendable {
  private let history: TraceHistory

  /// Reads a file, or a flight recorder's file.
  ///
  /// - Throws: `TraceFailure` if the file cannot be read or is no recording. Of a damaged recording, the part before
  ///   the damage is used.
  public init(of path: String) throws(TraceFailure) { self.init(of: try TraceText(contentsOf: path)) }

  /// Takes a recording from memory.
  ///
  /// - Throws: `TraceFailure` if it is empty.
  public init(of recording: TraceMemory) throws(TraceFailure) {
    self.init(of: try TraceText(recorded: recording.bytes))
  }

  init(of text: TraceText) { history = TraceHistory(text) }

  /// The number of the last action of the recording; `nil` if it has none.
  ///
  /// For an action that the recording does not have, answers say so: a later action, or one from before a flight
  /// recorder's ring or a late recording begins. Costs a look at every action.
  public var lastAction: UInt64? { history.actions.keys.max() }

  /// Returns the chain of causes of an action, back to an action from outside.
  ///
  /// - Parameter number: the number of the action. A negative number counts from the end.
  public func why(action number: some BinaryInteger) -> String {
    history.why(action: Int64(clamping: number)).text()
  }

  /// Returns the chain of causes of each run whose effect or request contains a text, newest first. The number of a
  /// run, as in `#9`, selects that run.
  public func whyRunning(_ request: String) -> String { history.why(runsMatching: request).text() }

  /// Returns why no run is in progress whose effect or request contains a text. The answer says how the last one ended,
  /// which action ended it, and when one is started again. If such a run is in progress, the answer says what it waits
  /// for.
  ///
  /// - Parameter sequence: the number of an action, after which to look; `nil` for the end.
  public func whyNot(_ request: String, at sequence: UInt64? = nil) -> String {
    history.whyNot(request, at: sequence).text()
  }

  /// Returns an action with its nearest causes, the requests that it started and made unwanted, and the state after it,
  /// if recorded.
  ///
  /// - Parameter number: the number of the action. A negative number counts from the end.
  public func show(_ number: some BinaryInteger) -> String {
    history.show(Int64(clamping: number)).text()
  }

  /// The summary that `millrace inspect` prints.
  public var inspection: String { history.inspection().text() }
}
