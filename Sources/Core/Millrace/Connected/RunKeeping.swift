import MillraceSpelling

/// The facts about an effect's runs for recordings and activity lists.
extension ConnectedEffect {
  var liveRuns: [WitnessedMoment.LiveRun] {
    runs.values.map { run in
      WitnessedMoment.LiveRun(
        identity: run.identity, startedBy: run.cause.action, newest: run.newest, isStopping: !run.isLive,
        isBehind: run.isBehind)
    }
  }

  func moment(of request: any Hashable & Sendable) -> RequestMoment? {
    guard let request = request as? Effect.Request else { return nil }
    let live = liveRuns
    let rivals = live.filter { ($0.request as? Effect.Request).map { haveSameID($0, request) } ?? false }
    return RequestMoment(
      connection: identity, path: path, isAsked: requests.contains(request),
      others: requests.subtracting([request]).map { $0 },
      isFinished: table.finished.contains { typed($0) == request }, runs: live,
      rivals: Set(rivals.map(\.identity.generation)))
  }

  /// Whether two requests share an identity.
  private func haveSameID(_ left: Effect.Request, _ right: Effect.Request) -> Bool {
    guard let effect = placed?.effect else { return false }
    return effect.id(of: left) == effect.id(of: right)
  }

  /// Its runs, and the finished requests that the state still asks for.
  var notes: [WorkNote] {
    let live = runs.values.sorted { $0.generation < $1.generation }.map { run in
      note(Self.phase(of: run), run, run.newestRequest)
    }
    return live + table.finished.map { note(.finished, nil, typed($0)) }
  }

  private func note(
    _ phase: StoreActivity.Work.Phase, _ run: Run?, _ request: any Sendable
  ) -> WorkNote {
    WorkNote(phase: phase, generation: run?.generation, startedBy: run?.cause.action) {
      Spelling.text(of: request)
    }
  }

  private static func phase(of run: Run) -> StoreActivity.Work.Phase {
    if !run.isLive { return .stopping }
    return run.phase == .running ? .running : .starting
  }
}
