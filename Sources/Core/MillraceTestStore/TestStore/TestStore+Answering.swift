import Millrace
import MillraceSpelling

extension TestStore {
  // MARK: Runs that the test serves

  /// Answers a request in progress: its run sends the actions, one after the other, and returns.
  ///
  /// ```swift
  /// store.answer("swift", with: .arrived(["swift.org"])) { $0.results = ["swift.org"] }
  /// ```
  ///
  /// If the store hands another value of a request over to its run, name the value that the run serves. With the newest
  /// value, the run has taken that value. With an earlier one it has not, and another run begins with the newest.
  ///
  /// - Parameters:
  ///   - request: the request. It has to be in progress and served by the test.
  ///   - part: the id of the element or optional value in whose lifetime the effect was connected, if several parts
  ///     have such a request. If elements of several parents have equal ids, give the ids of all, outermost first:
  ///     `in: [2, "a"] as [AnyHashable]`.
  ///   - name: the name of the connection, if several connections have such a request.
  ///   - actions: the actions that the run sends, as the effect sends them. Without actions, the run returns without
  ///     sending.
  ///   - changing: turns the state before into the one expected after all actions. A closure that changes nothing fails
  ///     the test.
  public func answer(
    _ request: some Hashable & Sendable, in part: AnyHashable? = nil, named name: String? = nil,
    with actions: Action...,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, changing: ((inout State) -> Void)? = nil
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    serve(RunSelection(request, in: part, named: name), actions, .returns, "answer", place, changing)
  }

  /// Answers a request of an effect whose actions are of another type than the store's, such as one of an element.
  public func answer<EffectAction: Sendable>(
    _ request: some Hashable & Sendable, in part: AnyHashable? = nil, named name: String? = nil,
    with actions: EffectAction...,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, changing: ((inout State) -> Void)? = nil
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    serve(RunSelection(request, in: part, named: name), actions, .returns, "answer", place, changing)
  }

  /// Sends actions from the run of a request in progress, which continues, such as for a tick of a timer or a line of a
  /// stream.
  public func send(
    _ actions: Action..., from request: some Hashable & Sendable, in part: AnyHashable? = nil,
    named name: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, changing: ((inout State) -> Void)? = nil
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    serve(RunSelection(request, in: part, named: name), actions, .continues, "send", place, changing)
  }

  /// Sends actions from a run of an effect whose actions are of another type than the store's.
  public func send<EffectAction: Sendable>(
    _ actions: EffectAction..., from request: some Hashable & Sendable, in part: AnyHashable? = nil,
    named name: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, changing: ((inout State) -> Void)? = nil
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    serve(RunSelection(request, in: part, named: name), actions, .continues, "send", place, changing)
  }

  /// Makes a request in progress fail: its run throws the error, which the effect turns into an action.
  ///
  /// ```swift
  /// store.fail("Atlantis", with: WeatherError.unknownCity) {
  ///   $0.problem = "There is no forecast for Atlantis: unknownCity."
  /// }
  /// ```
  public func fail(
    _ request: some Hashable & Sendable, in part: AnyHashable? = nil, named name: String? = nil,
    with error: any Error,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, changing: ((inout State) -> Void)? = nil
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    serve(RunSelection(request, in: part, named: name), [], .fails(error), "fail", place, changing)
  }

  /// Executes the body of one request in progress, as with ``RunServing/bodies``. The test receives the actions that it
  /// sends.
  public func execute(
    _ request: some Hashable & Sendable, in part: AnyHashable? = nil, named name: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let selection = RunSelection(request, in: part, named: name)
    let step = begin("execute(\(selection.text()))", at: place)
    defer { end(step) }
    if let run = run(selection, step) { session.serve(run) }
  }

  /// Makes the selected run send actions and continue or end, as a step of this name.
  package func serve(
    _ selection: RunSelection, _ actions: [any Sendable], _ runEnd: RunEnd, _ call: String,
    _ place: TestPlace, _ changing: ((inout State) -> Void)?
  ) {
    let step = begin("\(call)(\(Spelling.text(of: selection.request.base)))", at: place)
    defer { end(step) }
    expectNone(of: session.book.withLock { $0.takeUnreceived() }, before: step)
    guard let run = run(selection, step) else { return }
    if case .continues = runEnd {
    } else {
      let begun = RunSelection(AnyHashable(run.request), in: run.parts.last, named: run.identity.name)
      session.book.withLock { $0.answered(begun, at: place) }
    }
    if AnyHashable(session.request(of: run)) == selection.request {
      run.takeValue()
      session.book.withLock { $0.tookValue(run.identity) }
    }
    let answer = RunAnswer(
      actions: actions, end: runEnd, site: CallSite(fileID: place.fileID, line: place.line))
    if let problem = session.give(answer, to: run) {
      session.book.withLock { $0.excuse(run.generation) }
      return fail(problem, at: place)
    }
    let (taken, asserted) = session.book.withLock { book in
      (book.take { $0.run?.generation == run.generation }, book.asserted)
    }
    expectNone(of: taken?.before ?? [], before: step)  // bodies or components sent these meanwhile
    expect(taken?.state ?? asserted, after: changing, of: step)
    session.rehearsal?.stepEnded(in: session)
  }

  /// The selected run that waits for an answer; fails the test if there is none or more than one.
  private func run(_ selection: RunSelection, _ step: TestStep) -> HeldRun? {
    var found = session.held(selection)
    if found.isEmpty {
      session.makeRoom(for: selection)
      found = session.held(selection)
    }
    if found.count == 1 {
      session.address(found[0])
      session.book.withLock { $0.name(found[0].generation) }
      return found[0]
    }
    fail(found.isEmpty ? noRun(selection) : severalRuns(found, selection), at: step.place)
    // The failure has listed these runs.
    session.book.withLock { $0.excuse { $0.ending == nil } }
    return nil
  }

  private func noRun(_ selection: RunSelection) -> String {
    let (running, place) = session.book.withLock { ($0.running, $0.placeOfAnswer(to: selection)) }
    let text = selection.text(besides: running.map { AnyHashable($0.request) })
    if session.serving == .bodies, session.book.withLock({ !$0.inProgress(selection).isEmpty }) {
      return "The body of \(text) serves it, since the test store serves by bodies: receive what it sends."
    }
    let before = place.map { " It was answered at \($0)." } ?? ""
    return "No request \(text) waits for an answer.\(before)\(runningList(besides: selection.request))"
  }

  private func severalRuns(_ found: [HeldRun], _ selection: RunSelection) -> String {
    let names = Set(found.map(\.identity.name)).count > 1 ? ["'named:'"] : []
    let ids = Set(found.map(\.parts.last)).count > 1 ? ["'in:'"] : []
    let parts = Set(found.map(\.parts)).count > 1 ? ["'in:' with the ids of all parts, outermost first"] : []
    let ways = ((ids.isEmpty ? parts : ids) + names).joined(separator: " or ")
    let how = ways.isEmpty ? "give their connections different names" : "name one by \(ways)"
    return "\(found.count) requests \(selection.text()) wait for an answer; \(how).\(runningList())"
  }
}
