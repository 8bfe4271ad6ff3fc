import Millrace
import MillraceTestStore

extension RehearsedTest {
  /// A step of the test has ended.
  func stepEnded(in session: Session) { _ = pointReached(isWithinStep: false, in: session) }

  /// A point of the test is reached. In a rerun for this point, the program ends and begins again.
  ///
  /// - Returns: whether the program has ended.
  func pointReached(isWithinStep: Bool, in session: Session) -> Bool {
    noteSaves(in: session)
    let (points, steps, saved) = trial.withLock { trial in
      trial.pointReached(isWithinStep: isWithinStep)
      return (trial.points, trial.steps, trial.disk.state)
    }
    guard let plan = rerun?.crash, plan.point == points else { return false }
    let before = plan.disk == .newest ? session.store.state : saved ?? session.initialState
    let crash = Crash(
      step: isWithinStep ? steps + 1 : steps, isWithinStep: isWithinStep,
      action: story.withLock { $0.steps.last } ?? "connect", before: before,
      after: Result { try persisting(before) })
    if case .success(let after) = crash.after {
      trial.withLock { $0.restarted() }
      session.book.withLock { $0.programEnded() }
      session.begin(with: after)
      repeatScripts(in: session)
    }
    trial.withLock { $0.crash = crash }
    return (try? crash.after.get()) != nil
  }

  /// Makes the restarted runs repeat their earlier actions, before the test continues.
  private func repeatScripts(in session: Session) {
    while let (run, script) = nextRepeated(in: session) {
      if rerun?.crash?.isLive(run.request) == true { continue }
      if script.isExecuted {
        session.serve(run)
      } else if let site = script.site {
        _ = perform(
          RunAnswer(actions: script.actions, end: script.end, site: site), on: run, in: session)
      }
    }
  }

  private func nextRepeated(in session: Session) -> (HeldRun, RunScripts.Script)? {
    for run in session.heldRuns {
      let key = key(of: run, in: session)
      if let script = trial.withLock({ $0.takeEarlier(key) }) { return (run, script) }
    }
    return nil
  }

  /// The run after a restart with the same request as an earlier run.
  func successor(of run: RunKey, in session: Session) -> HeldRun? {
    session.heldRuns.first { key(of: $0, in: session) == run }
  }

  func key(of run: HeldRun, in session: Session) -> RunKey {
    RunKey(run, serving: session.request(of: run))
  }

  // MARK: Events of runs

  /// A run has begun with a request, or another request was handed over to it.
  func asked(_ request: any Hashable & Sendable, of run: HeldRun, in _: Session) {
    guard let plan = rerun?.crash else { return trial.withLock { $0.asked.append(request) } }
    let key = RunKey(run, serving: request)
    trial.withLock { trial in
      trial.scripts.asked(run.generation, as: key)
      if plan.waitsForSave(request) { trial.disk.sent(key) }
    }
  }

  func noteSent(_ action: any Sendable, by run: HeldRun, at site: CallSite) {
    guard let plan = rerun?.crash else { return }
    trial.withLock { trial in
      trial.scripts.sent(action, by: run.generation, at: site)
      if plan.isSave(run.request) { trial.disk.saveAnswered(by: run.generation) }
    }
  }

  func noteEnd(_ end: RunEnd, of run: HeldRun, at site: CallSite) {
    guard let plan = rerun?.crash else { return }
    trial.withLock { trial in
      trial.scripts.ended(run.generation, end, at: site)
      if case .returns = end, plan.isSave(run.request) { trial.disk.saveAnswered(by: run.generation) }
    }
  }

  func executes(_ run: HeldRun) {
    if rerun?.crash != nil { trial.withLock { $0.scripts.executed(run.generation) } }
  }

  /// Notes which state each save has to write: the one that asked for it.
  private func noteSaves(in session: Session) {
    guard let plan = rerun?.crash else { return }
    let state = session.store.state
    for run in session.heldRuns where plan.isSave(run.request) {
      let request = AnyHashable(session.request(of: run))
      trial.withLock { $0.disk.saveAsked(by: run.generation, request, of: state) }
    }
  }
}
