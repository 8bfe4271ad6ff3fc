/// An effect component, with the backend that takes its actions.
final class PlacedEffect<Effect: EffectComponent>: Sendable {
  let effect: Effect
  let backend: Backend<Effect.State, Effect.Action>

  init(_ effect: Effect, _ backend: Backend<Effect.State, Effect.Action>) {
    (self.effect, self.backend) = (effect, backend)
  }

  /// Gives a run its body, which serves the request and concludes the run.
  func serve(_ run: Run, _ request: Effect.Request, for connected: ConnectedEffect<Effect>) {
    if effect.replacement == .handOver { return serve(run, handingOver: request, for: connected) }
    run.body = { [self] run in
      do throws(Effect.Failure) {
        try await effect.run(request, send: send(from: run))
        connected.returned(run)
      } catch {
        connected.failed(run, error)
      }
    }
  }

  // Not inlined, since it would look its types up for every run.
  @inline(never)
  private func serve(
    _ run: Run, handingOver request: Effect.Request, for connected: ConnectedEffect<Effect>
  ) {
    let updates = RequestUpdates(request)
    run.handover = updates
    run.body = { [self] run in
      do throws(Effect.Failure) {
        try await effect.run(updates, send: send(from: run))
        connected.returned(run)
      } catch {
        connected.failed(run, error)
      }
    }
  }

  private func send(from run: Run) -> Send<Effect.Action> {
    Send(delivering: { [backend] action, site in
      await withUnsafeContinuation { continuation in
        let sending = Sending(site: site, run: run, sender: continuation)
        _ = backend.send(action, through: run.connected.account, run.engine, sending)
      }
    })
  }
}
