extension ConnectedEffect: RunKeeping {
  var liveRuns: [WitnessedMoment.LiveRun] {
    runs.values.map { entry in
      WitnessedMoment.LiveRun(
        identity: entry.run.identity, startedBy: entry.run.cause.action, newest: entry.newest,
        isStopping: !entry.run.isLive, isBehind: entry.behind != nil && entry.run.phase == .decided)
    }
  }
}
