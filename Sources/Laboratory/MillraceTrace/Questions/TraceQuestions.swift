/// Questions to a recording from within a program or a test, also while the recording goes on. The command `millrace` asks
/// the same questions to files.
///
/// ```swift
/// let questions = try await recording.questions()
/// print(questions.whyNot("swift"))
/// ```
///
/// Each answer is lines of text. Made of the recording as far as it is written; costs time and memory in proportion to
/// its length.
public struct TraceQuestions: Sendable {
  private let history: TraceHistory

  /// Reads a file, or a flight recorder's file.
  ///
  /// - Throws: `TraceFailure` if it cannot be read, or is no recording. Of a damaged one, what is before the damage is
  ///   asked.
  public init(of path: String) throws(TraceFailure) { history = try TraceHistory(contentsOf: path) }

  /// Takes a recording from memory.
  ///
  /// - Throws: `TraceFailure` if it is empty.
  public init(of recording: TraceMemory) throws(TraceFailure) {
    history = TraceHistory(try TraceText(bytesOf: recording))
  }

  /// The number of the last action of the recording; `nil` if it has none.
  ///
  /// An answer about a later action, or about one before the first that a ring or a late recording has, says that there is
  /// no such action. Looks at every action.
  public var lastAction: UInt64? { history.actions.keys.max() }

  /// The chain of causes of an action, up to the outside.
  ///
  /// - Parameter number: the number of the action; one below zero counts from the end.
  public func why(action number: some BinaryInteger) -> String {
    Self.text(history.why(action: Int64(clamping: number)))
  }

  /// The chain of causes of each run whose effect or request contains a text, the newest first; of one run for its
  /// number, as in `#9`.
  public func whyRunning(_ request: String) -> String { Self.text(history.why(runsMatching: request)) }

  /// Why no run is in progress whose effect or request contains a text: how the last one ended, which action ended it,
  /// and when one is started again; or what a run that is in progress waits for.
  ///
  /// - Parameter sequence: asks for the moment after this action; `nil` for the end.
  public func whyNot(_ request: String, at sequence: UInt64? = nil) -> String {
    Self.text(history.whyNot(request, at: sequence))
  }

  /// An action with its nearest causes, what it started and made unwanted, and the state, as far as it is recorded.
  ///
  /// - Parameter number: the number of the action; one below zero counts from the end.
  public func show(_ number: some BinaryInteger) -> String {
    Self.text(history.show(Int64(clamping: number)))
  }

  /// The summary that `millrace inspect` gives.
  public var inspection: String { Self.text(history.inspection()) }

  private static func text(_ answer: TraceAnswer) -> String {
    answer.sections.map { section in
      ([section.heading] + section.lines.map { "  " + $0 }).joined(separator: "\n")
    }
    .joined(separator: "\n\n")
  }
}
