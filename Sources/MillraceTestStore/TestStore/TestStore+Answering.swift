import Millrace
import MillraceTesting

extension TestStore {
  // MARK: Runs that the test serves

  /// Answers a request in progress: its run sends the actions, one after the other, and returns.
  ///
  /// ```swift
  /// store.answer("swift", with: .arrived(["swift.org"])) { $0.results = ["swift.org"] }
  /// ```
  ///
  /// - Parameters:
  ///   - request: the request. It has to be in progress and served by the test.
  ///   - part: the id of the element or of the optional value in whose lifetime the effect was connected, if more than
  ///     one has such a request.
  ///   - actions: what the run sends, as the effect sends it. Without any, the run returns and has sent nothing.
  ///   - changing: turns the state before into the one that is expected after all actions.
  public func answer(
    _ request: some Hashable & Sendable, in part: AnyHashable? = nil, with actions: Action...,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, changing: (inout State) -> Void = { _ in }
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    serve(request, part, actions, .returns, "answer", place, changing)
  }

  /// Answers a request of an effect whose actions are of another type than the store's, such as one of an element.
  public func answer<EffectAction: Sendable>(
    _ request: some Hashable & Sendable, in part: AnyHashable? = nil, with actions: EffectAction...,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, changing: (inout State) -> Void = { _ in }
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    serve(request, part, actions, .returns, "answer", place, changing)
  }

  /// Sends actions from the run of a request in progress, which goes on: a tick of a timer, a line of a stream.
  public func send(
    _ actions: Action..., from request: some Hashable & Sendable, in part: AnyHashable? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, changing: (inout State) -> Void = { _ in }
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    serve(request, part, actions, .goesOn, "send", place, changing)
  }

  /// Sends actions from a run of an effect whose actions are of another type than the store's.
  public func send<EffectAction: Sendable>(
    _ actions: EffectAction..., from request: some Hashable & Sendable, in part: AnyHashable? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, changing: (inout State) -> Void = { _ in }
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    serve(request, part, actions, .goesOn, "send", place, changing)
  }

  /// Has a request in progress fail: its run throws the error, which the effect turns into an action.
  ///
  /// ```swift
  /// store.fail("Atlantis", with: WeatherError.unknownCity) {
  ///   $0.problem = "There is no forecast for Atlantis: unknownCity."
  /// }
  /// ```
  public func fail(
    _ request: some Hashable & Sendable, in part: AnyHashable? = nil, with error: any Error,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, changing: (inout State) -> Void = { _ in }
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    serve(request, part, [], .fails(error), "fail", place, changing)
  }

  /// Executes the body of one request in progress, as with ``RunServing/bodies``. Receive what it sends.
  public func execute(
    _ request: some Hashable & Sendable, in part: AnyHashable? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    if let run = run(of: AnyHashable(request), in: part, "execute", place) { session.serve(run) }
  }

  private func serve(
    _ request: some Hashable & Sendable, _ part: AnyHashable?, _ actions: [any Sendable], _ end: RunEnd,
    _ call: String, _ place: TestPlace, _ changing: (inout State) -> Void
  ) {
    let step = "\(call)(\(Spelling.text(of: request)))"
    expectNothingUnasserted(before: step, at: place)
    guard let run = run(of: AnyHashable(request), in: part, call, place) else { return }
    let answer = RunAnswer(actions: actions, end: end, site: CallSite(fileID: place.fileID, line: place.line))
    if let problem = session.give(answer, to: run) { return fail(problem.text(of: run), at: place) }
    _ = session.book.withLock { $0.takeActions() }
    expect(store.state, after: changing, of: step, at: place)
    session.stepEnded()
  }

  /// The one run of a request that waits for an answer; a failure of the test where there is not one.
  private func run(of request: AnyHashable, in part: AnyHashable?, _ call: String, _ place: TestPlace)
    -> HeldRun?
  {
    let found = session.held(request, in: part)
    if found.count != 1 {
      let what = "\(Spelling.text(of: request.base))\(part.map { " in \(Spelling.text(of: $0.base))" } ?? "")"
      let problem =
        found.isEmpty
        ? "No request \(what) waits for an answer."
        : "\(found.count) requests \(what) wait for an answer; name one by 'in:'."
      fail("\(problem)\(runningList)", at: place)
      return nil
    }
    session.book.withLock { $0.name { $0.identity.generation == found[0].generation } }
    return found[0]
  }

  /// What is in progress, for a message.
  var runningList: String {
    let running = session.book.withLock { $0.running }
    return running.isEmpty
      ? " Nothing is in progress."
      : " In progress:\n\n\(running.map { "  \($0.text)" }.joined(separator: "\n"))"
  }
}

/// What a run does after it has sent its actions.
enum RunEnd: Sendable {
  case goesOn
  case returns
  case fails(any Error)
}

extension HeldRun {
  /// The effect and its request.
  var text: String { "\(identity.name) \(Spelling.text(of: request))" }
}

extension AnswerProblem {
  fileprivate func text(of run: HeldRun) -> String {
    switch self {
    case .actionOfAnotherType(let action):
      "\(run.text) sends \(Spelling.name(of: run.actionType)), not \(Spelling.name(of: type(of: action)))."
    case .errorOfAnotherType(let error):
      "\(run.text) throws \(Spelling.name(of: run.failureType)), not \(Spelling.name(of: type(of: error)))."
    case .tooLate(let action):
      "\(Spelling.text(of: action)) came too late: what \(run.text) had sent before has stopped it."
    }
  }
}
