/// An effect on the requests that a closure returns.
package struct AskedEffect<Base: EffectComponent, Requests: RequestCollection & Sendable>: EffectComponent
where Base.State == Set<Requests.Request> {
  package typealias Failure = Base.Failure

  package let base: Base

  init(_ base: Base, asking: Requests.Type) { self.base = base }

  package func id(of request: Base.Request) -> Base.ID { base.id(of: request) }

  package func requests(in requests: Requests) -> Set<Base.Request> { base.requests(in: requests.requests) }

  package var replacement: RequestReplacement { base.replacement }

  package func action(for failure: Base.Failure, of request: Base.Request) -> Base.Action {
    base.action(for: failure, of: request)
  }

  package func run(_ request: Base.Request, send: Send<Base.Action>) async throws(Base.Failure) {
    try await base.run(request, send: send)
  }

  package func run(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    try await base.run(requests, send: send)
  }
}
