extension ConnectedEffect: RunKeeping {
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
      connection: identity, path: path, isAsked: asked.contains(request),
      others: asked.subtracting([request]).map { $0 },
      isFinished: table.finished.contains { typed($0) == request }, runs: live,
      rivals: Set(rivals.map(\.identity.generation)))
  }
}
