import Millrace

extension EffectComponent {
  /// Returns what a store does with the effect's runs when its slice changes from one value to another.
  ///
  /// ```swift
  /// let plan = effect.plan(from: Search.State(query: "s"), to: Search.State(query: "swift"))
  /// #expect(plan == RequestPlan(starts: ["swift"], stops: ["s"]))
  /// ```
  ///
  /// Every request of `old` counts as one whose run has not returned. No body is executed. Made of `requests(in:)`,
  /// `id(of:)` and `replacement`, by the code that decides in a store. Callable from any
  /// thread. Costs time in proportion to the number of requests.
  public func plan(from old: State, to new: State) -> RequestPlan<Request> {
    RequestPlan(runChanges(from: old, to: new))
  }

  /// Returns what a store does when it connects the effect to a slice with this value.
  ///
  /// ```swift
  /// #expect(effect.plan(connectingTo: Search.State(query: "swift")) == RequestPlan(starts: ["swift"]))
  /// ```
  public func plan(connectingTo state: State) -> RequestPlan<Request> {
    RequestPlan(runChanges(from: nil, to: state))
  }
}

extension RequestPlan {
  fileprivate init(_ found: (changes: [RunChange<Request>], clashes: Set<Request>)) {
    self.init(clashes: found.clashes)
    for change in found.changes {
      switch change {
      case .starts(let request): starts.insert(request)
      case .stays(let request): stays.insert(request)
      case .stops(let request): stops.insert(request)
      case .restarts(let old, let new): restarts.insert(Replacement(of: old, by: new))
      case .handsOver(let old, let new): handsOver.insert(Replacement(of: old, by: new))
      case .ignores(let new, let old): ignores.insert(Replacement(of: old, by: new))
      }
    }
  }
}
