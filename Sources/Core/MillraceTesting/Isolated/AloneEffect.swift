import Millrace

/// The state around an isolated run: the current request, and the results so far.
struct AloneState<Effect: EffectComponent>: Sendable {
  var asked: Effect.Request?
  var sent: [Effect.Action] = []
  var failure: Effect.Failure?

  static func reduce(_ state: inout AloneState, _ action: AloneAction<Effect>) {
    switch action {
    case .asked(let request): state.asked = request
    case .sent(let action): state.sent.append(action)
    case .failed(let failure): state.failure = failure
    }
  }
}

enum AloneAction<Effect: EffectComponent>: Sendable {
  case asked(Effect.Request?)
  case sent(Effect.Action)
  case failed(Effect.Failure)
}

/// Serves one request by the effect under test.
struct AloneEffect<Effect: EffectComponent>: EffectComponent {
  let effect: Effect

  func id(of request: Effect.Request) -> Effect.ID { effect.id(of: request) }

  func requests(in request: Effect.Request?) -> Set<Effect.Request> { request.map { [$0] } ?? [] }

  var replacement: RequestReplacement { effect.replacement }

  func run(_ request: Effect.Request, send: Send<AloneAction<Effect>>) async throws(Effect.Failure) {
    try await effect.run(request, send: send.map { .sent($0) })
  }

  func run(
    _ requests: RequestUpdates<Effect.Request>, send: Send<AloneAction<Effect>>
  ) async throws(Effect.Failure) {
    try await effect.run(requests, send: send.map { .sent($0) })
  }

  func action(for failure: Effect.Failure, of request: Effect.Request) -> AloneAction<Effect> {
    .failed(failure)
  }
}
