/// What a test does with a run in place of its task.
extension EffectBinding: RunServer {
  var actionType: Any.Type { Effect.Action.self }
  var failureType: Any.Type { Effect.Failure.self }
  var component: any Sendable { effect }

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

  func storeAction(of action: any Sendable, from run: Run, _ engine: Engine) -> (any Sendable)? {
    guard let action = action as? Effect.Action else { return nil }
    let capture = CapturedAction()
    var sending = Sending(site: CallSite(fileID: #fileID, line: #line), run: run)
    sending.capture = capture
    _ = post(action, engine, sending)
    return capture.action
  }

  func storeAction(ofFailure failure: any Error, of run: Run, _ engine: Engine) -> (any Sendable)? {
    guard let failure = failure as? Effect.Failure, let request = run.request as? Effect.Request else {
      return nil
    }
    return storeAction(of: effect.action(for: failure, of: request), from: run, engine)
  }

  func concludeInTurn(_ run: Run) -> Bool {
    if concludesAgain(run) { return true }
    returned(run)
    return false
  }
}
