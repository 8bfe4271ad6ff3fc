/// An effect component, with the backend that takes its actions.
final class PlacedEffect<Effect: EffectComponent>: Sendable {
  let effect: Effect
  let backend: Backend<Effect.State, Effect.Action>

  init(_ effect: Effect, _ backend: Backend<Effect.State, Effect.Action>) {
    (self.effect, self.backend) = (effect, backend)
  }

  // Not inlined, since every run would look the types up.

  @inline(never)
  func handover(of request: Effect.Request) -> any Handover { RequestUpdates(request) }

  @inline(never)
  func serve(_ handover: any Handover, for run: Run) async throws(Effect.Failure) {
    guard let updates = handover as? RequestUpdates<Effect.Request> else {
      preconditionFailure("every handover is made above")
    }
    try await effect.run(updates, send: send(from: run))
  }

  func send(from run: Run) -> Send<Effect.Action> {
    Send(delivering: { [backend] action, site in
      await withUnsafeContinuation { continuation in
        let sending = Sending(site: site, run: run, sender: continuation)
        _ = backend.send(action, through: run.connected.account, run.engine, sending)
      }
    })
  }
}
