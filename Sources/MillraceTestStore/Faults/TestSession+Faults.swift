import Millrace

extension TestSession {
  /// Gives an answer to a run, or what the rerun has in its place.
  ///
  /// - Returns: why it could not be given; `nil` if it was.
  func give(_ answer: RunAnswer, to run: HeldRun) -> AnswerProblem? {
    let kind = RequestKind(run)
    kinds.withLock { kinds in
      if !kinds.contains(where: { $0.kind == kind }) { kinds.append((kind, run.canFail)) }
    }
    answered.withLock { $0[kind, default: []].append(run.request) }
    guard let fault = rerun?.faults[kind] else { return perform(answer, on: run) }
    switch fault {
    case .neverAnswers:
      tell("\(run.text) never answers")
      return nil
    case .fails:
      guard let error = rerun?.error(for: run.request) else { return perform(answer, on: run) }
      tell("\(run.text) fails with \(Spelling.text(of: error))")
      return perform(RunAnswer(actions: [], end: .fails(error), site: answer.site), on: run)
    case .answersLate:
      tell("\(run.text) answers late")
      late.withLock { $0[run.generation, default: []].append((run, answer)) }
      return nil
    case .answersTwice:
      if !answer.actions.isEmpty { tell("\(run.text) answers twice") }
      let twice = RunAnswer(actions: answer.actions + answer.actions, end: answer.end, site: answer.site)
      return perform(twice, on: run)
    }
  }

  private func perform(_ answer: RunAnswer, on run: HeldRun) -> AnswerProblem? {
    for action in answer.actions {
      switch run.send(action, at: answer.site) {
      case .reduced: continue
      case nil: return .actionOfAnotherType(action)
      default: return .tooLate(action)
      }
    }
    switch answer.end {
    case .goesOn: return nil
    case .returns: run.finish()
    case .fails(let error): if !run.fail(error) { return .errorOfAnotherType(error) }
    }
    leavePlaces(of: run.generation)
    return nil
  }

  /// A run was stopped: it returns, after what it sends late.
  func stopped(_ run: HeldRun) {
    for (run, answer) in late.withLock({ $0.removeValue(forKey: run.generation) ?? [] }) {
      tell("\(run.text), stopped, sends what it should have sent before")
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
