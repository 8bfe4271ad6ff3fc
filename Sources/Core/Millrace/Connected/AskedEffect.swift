/// An effect whose requests a closure returns.
package struct AskedEffect<Base: EffectComponent, Requests: RequestCollection & Sendable>: WrapperEffect
where Base.State == Set<Requests.Request> {
  package typealias ID = Base.ID
  package typealias Action = Base.Action

  package let base: Base

  init(_ base: Base, asking: Requests.Type) { self.base = base }

  package func requests(in requests: Requests) -> Set<Base.Request> { base.requests(in: requests.requests) }
}
