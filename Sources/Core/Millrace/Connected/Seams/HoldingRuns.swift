/// Lets a test serve a run instead of its task.
extension ConnectedEffect: RunServer {
  var component: any Sendable { effect }

  func send(_ action: any Sendable, from run: Run, at site: CallSite) -> Bool? {
    (action as? Effect.Action).map { post($0, Sending(site: site, run: run)) }
  }

  func fail(_ run: Run, with error: any Error) -> Bool {
    guard let failure = error as? Effect.Failure else { return false }
    failed(run, failure)
    return true
  }
}
