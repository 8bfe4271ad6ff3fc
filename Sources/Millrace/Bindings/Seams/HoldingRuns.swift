/// What a test does with a run in place of its task.
extension EffectBinding: RunServer {
  var actionType: Any.Type { Effect.Action.self }
  var failureType: Any.Type { Effect.Failure.self }

  func send(_ action: any Sendable, from run: Run, at site: CallSite, _ engine: Engine) -> Bool? {
    guard let action = action as? Effect.Action else { return nil }
    return post(action, engine, Sending(site: site, run: run))
  }

  func conclude(_ run: Run, failure: (any Error)?) -> Bool {
    guard let failure else {
      returned(run)
      return true
    }
    guard let failure = failure as? Effect.Failure else { return false }
    failed(run, failure)
    return true
  }

  func lines(of run: Run) -> [PlaceInLine] { (effect as? any RunsInLine)?.lines(for: run.request) ?? [] }
}
