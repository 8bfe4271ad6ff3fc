/// Saving what an effect has decided, and putting it back, for a test that explores what may happen.
extension EffectBinding {
  final class SavedRuns: RememberedDecisions, RunsAtOneTime {
    /// Forgotten when the connection ends.
    let asked: Set<Effect.Request>
    let table: Table
    let runs: [UInt64: LiveRun]
    let progress: [(run: Run, progress: Run.Progress)]
    let answerable: [AnswerableRun]

    init(of binding: EffectBinding) {
      asked = binding.asked
      table = binding.table
      runs = binding.runs
      let engine = binding.engine
      let live = runs.values.map(\.run).sorted { $0.generation < $1.generation }
      progress = live.map { ($0, $0.savedProgress(engine)) }
      let held = live.compactMap { [runs] in runs[$0.generation]?.held }
      let isHandedOver = binding.effect.replacement == .handOver  // otherwise a changed value is ignored
      answerable = held.map { [table] run in
        let newest = table.request(of: run.generation)
        let request = isHandedOver ? newest.map(binding.typed) : nil
        return AnswerableRun(run: run, request: request ?? run.request, wasStopped: newest == nil)
      }
      super.init(
        EffectContents(
          connection: binding.attachment.identity, whereabouts: binding.attachment.whereabouts,
          table: table.contents({ $0.request }) { [runs] in runs[$0].flatMap { binding.erased($0.run) } }))
    }
  }

  func savedDecisions() -> AnyObject? {
    if let saved { return saved }
    var new = SavedRuns(of: self)
    if let memory {
      new = unsafeDowncast(memory.decided(new), to: SavedRuns.self)  // the memory has nothing else
      if new !== saved { putBack(new) }
    }
    saved = new
    return new
  }

  func restore(_ decisions: AnyObject) {
    if decisions === saved as AnyObject? { return }
    putBack(unsafeDowncast(decisions, to: SavedRuns.self))  // what `savedDecisions` has returned
  }

  private func putBack(_ decisions: SavedRuns) {
    saved = decisions
    memory?.forgetStep()
    asked = decisions.asked
    isBehind = true
    if memory == nil { catchUp() }
  }

  /// Puts back the table and the runs, where that was put off until something is decided anew.
  func catchUp() {
    guard isBehind, let saved else { return }
    isBehind = false
    (table, runs) = (saved.table, saved.runs)
    for (run, progress) in saved.progress { run.restore(progress, engine) }
  }

  /// Puts back what followed when the same step was made from here before.
  private func recalls(_ step: DecisionStep, _ requests: Set<Effect.Request>) -> Bool {
    guard let next = memory?.next(from: saved, step) else { return false }
    let known = unsafeDowncast(next, to: SavedRuns.self)  // the memory has nothing else
    guard known.asked == requests else { return false }  // another set with this hash
    putBack(known)
    return true
  }

  func recalls(_ requests: Set<Effect.Request>) -> Bool {
    memory != nil && recalls(.asked(hash: requests.hashValue), requests)
  }

  func current(_ run: Run) -> Run? {
    // What was decided last may be replaced by something equal, of which the runs have other numbers.
    if memory != nil { _ = savedDecisions() }
    let runs = (isBehind ? saved?.runs : runs) ?? [:]
    if runs[run.generation] != nil { return run }
    let equal = runs.values.filter { AnyHashable($0.run.request) == AnyHashable(run.request) }
    return equal.min { $0.run.generation < $1.run.generation }?.run
  }

  func admits(_ run: Run) -> Bool {
    guard isBehind, let saved else { return runs[run.generation] != nil && run.isAdmitted }
    return saved.progress.contains { $0.run === run && run.isAdmitted(at: $0.progress) }
  }

  /// Puts back what followed when the run returned from here before.
  func concludesAgain(_ run: Run) -> Bool {
    recalls(.returned(generation: run.generation), asked)
  }

  /// Every run has gone, and what is asked for is asked for anew.
  func restart() {
    if recalls(.restarted, asked) { return }
    catchUp()
    let asked = asked
    requestsChanged(to: [])
    for run in runs.values.map(\.run) {
      run.leave(engine)
      conclude(run)
    }
    requestsChanged(to: asked)
  }
}
