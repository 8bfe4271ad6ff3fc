import Millrace
import MillraceSpelling
import MillraceTestStore

extension RehearsedTest {
  /// Gives an answer to a run, or the fault that replaces the answer in this rerun.
  ///
  /// - Returns: the reason why the answer could not be given, in words; `nil` if it was.
  func give(_ answer: RunAnswer, to run: HeldRun, in session: Session) -> String? {
    let request = session.request(of: run)
    let text = "\(run.identity.name) \(Spelling.abridged(request))"
    let entry = answered.withLock { $0.answered(run, serving: request) }
    switch isEndless ? nil : rerun?.fault(of: entry.request) {
    case nil: return perform(answer, on: run, in: session)
    case .fallsSilent(let count)?:
      return strike(run, count - entry.sent, of: answer, in: session) {
        tell("\(text) \(RequestFault.fallsSilent(after: count).text)")
        return nil
      }
    case .fails(let count)?:
      guard let error = rerun?.error(for: request) else { return perform(answer, on: run, in: session) }
      return strike(run, count - entry.sent, of: answer, in: session) {
        tell("\(text) fails with \(Spelling.abridged(error))")
        return perform(RunAnswer(actions: [], end: .fails(error), site: answer.site), on: run, in: session)
      }
    case .answersLate?:
      tell("\(text) answers late")
      late.withLock { $0[run.generation, default: []].append((run, answer)) }
      return nil
    case .answersTwice?:
      if !answer.actions.isEmpty { tell("\(text) answers twice") }
      let twice = RunAnswer(actions: answer.actions + answer.actions, end: answer.end, site: answer.site)
      return perform(twice, on: run, in: session)
    }
  }

  /// Gives the actions of an answer that come before the fault, then the fault. A run that was struck sends nothing
  /// more.
  private func strike(
    _ run: HeldRun, _ count: Int, of answer: RunAnswer, in session: Session, with fault: () -> String?
  ) -> String? {
    if struck.withLock({ $0.contains(run.generation) }) { return nil }
    if count > answer.actions.count { return perform(answer, on: run, in: session) }
    let before = RunAnswer(actions: Array(answer.actions.prefix(count)), end: .continues, site: answer.site)
    if let problem = perform(before, on: run, in: session) { return problem }
    struck.withLock { _ = $0.insert(run.generation) }
    return fault()
  }

  /// Makes a run send the actions of an answer, and end as the answer says.
  ///
  /// If the program restarts between two actions, the restarted run of the same request continues.
  func perform(_ answer: RunAnswer, on first: HeldRun, in session: Session) -> String? {
    var run = first
    let key = key(of: first, in: session)
    for (index, action) in answer.actions.enumerated() {
      if let problem = session.send(action, from: run, at: answer.site) { return problem }
      answered.withLock { $0.sent(by: run.generation, isLive: run.isLive) }
      noteSent(action, by: run, at: answer.site)
      if index < answer.actions.count - 1, pointReached(isWithinStep: true, in: session) {
        guard let next = successor(of: key, in: session) else { return nil }
        run = next
      }
    }
    noteEnd(answer.end, of: run, at: answer.site)
    return session.end(answer.end, of: run)
  }

  /// A run was stopped: sends its late answers now.
  func stopped(_ run: HeldRun) {
    for (run, answer) in late.withLock({ $0.removeValue(forKey: run.generation) ?? [] }) {
      let text = "\(run.identity.name) \(Spelling.abridged(run.request))"
      tell("\(text), stopped, sends what it should have sent before")
      for action in answer.actions { _ = run.send(action, at: answer.site) }
    }
  }

  /// The test ends: sends all remaining late answers.
  func ends(in session: Session) {
    for (run, answer) in late.exchange([:]).sorted(by: { $0.key < $1.key }).flatMap(\.value) {
      _ = perform(answer, on: run, in: session)
    }
  }
}
