import Millrace
import MillraceSpelling

extension TestSession {
  /// Gives an answer to a run, or what the rerun has in its place.
  ///
  /// - Returns: why it could not be given; `nil` if it was.
  func give(_ answer: RunAnswer, to run: HeldRun) -> AnswerProblem? {
    let request = request(of: run)
    let text = "\(run.identity.name) \(Spelling.abridged(request))"
    let entry = answered.withLock { $0.answered(run, serving: request) }
    switch isEndless ? nil : rerun?.fault(of: entry.request) {
    case nil: return perform(answer, on: run)
    case .fallsSilent(let count)?:
      return strike(run, count - entry.sent, of: answer) {
        tell("\(text) \(RequestFault.fallsSilent(after: count).text)")
        return nil
      }
    case .fails(let count)?:
      guard let error = rerun?.error(for: request) else { return perform(answer, on: run) }
      return strike(run, count - entry.sent, of: answer) {
        tell("\(text) fails with \(Spelling.abridged(error))")
        return perform(RunAnswer(actions: [], end: .fails(error), site: answer.site), on: run)
      }
    case .answersLate?:
      tell("\(text) answers late")
      late.withLock { $0[run.generation, default: []].append((run, answer)) }
      return nil
    case .answersTwice?:
      if !answer.actions.isEmpty { tell("\(text) answers twice") }
      let twice = RunAnswer(actions: answer.actions + answer.actions, end: answer.end, site: answer.site)
      return perform(twice, on: run)
    }
  }

  /// Gives an answer up to the action after which a fault strikes the run. A run that was struck sends nothing more.
  private func strike(
    _ run: HeldRun, _ count: Int, of answer: RunAnswer, with fault: () -> AnswerProblem?
  ) -> AnswerProblem? {
    if struck.withLock({ $0.contains(run.generation) }) { return nil }
    if count > answer.actions.count { return perform(answer, on: run) }
    let before = RunAnswer(actions: Array(answer.actions.prefix(count)), end: .continues, site: answer.site)
    if let problem = perform(before, on: run) { return problem }
    struck.withLock { _ = $0.insert(run.generation) }
    return fault()
  }

  /// Has a run do what an answer says.
  ///
  /// Where the program ends and begins again between two actions, the run that then serves the request goes on.
  func perform(_ answer: RunAnswer, on first: HeldRun) -> AnswerProblem? {
    var run = first
    let key = key(of: first)
    for (index, action) in answer.actions.enumerated() {
      switch run.send(action, at: answer.site) {
      case .reduced: sent(action, by: run, at: answer.site)
      case nil: return .actionOfAnotherType(action)
      default: return .tooLate(action)
      }
      if index < answer.actions.count - 1, pointReached(isWithinStep: true) {
        guard let next = successor(of: key) else { return nil }
        run = next
      }
    }
    noteEnd(answer.end, of: run, at: answer.site)
    switch answer.end {
    case .continues: return nil
    case .returns: run.finish()
    case .fails(let error): if !run.fail(error) { return .errorOfAnotherType(error) }
    }
    leavePlaces(of: run.generation)
    return nil
  }

  private func sent(_ action: any Sendable, by run: HeldRun, at site: CallSite) {
    answered.withLock { $0.sent(by: run.generation, isLive: run.isLive) }
    noteSent(action, by: run, at: site)
  }

  /// A run was stopped: it returns, after what it sends late.
  func stopped(_ run: HeldRun) {
    for (run, answer) in late.withLock({ $0.removeValue(forKey: run.generation) ?? [] }) {
      let text = "\(run.identity.name) \(Spelling.abridged(run.request))"
      tell("\(text), stopped, sends what it should have sent before")
      for action in answer.actions { _ = run.send(action, at: answer.site) }
    }
    run.finish()
    leavePlaces(of: run.generation)
  }

  /// The test ends: what is late comes now.
  func giveLateAnswers() {
    let answers = late.withLock { late in
      defer { late = [:] }
      return late.sorted { $0.key < $1.key }.flatMap(\.value)
    }
    for (run, answer) in answers { _ = perform(answer, on: run) }
  }
}
