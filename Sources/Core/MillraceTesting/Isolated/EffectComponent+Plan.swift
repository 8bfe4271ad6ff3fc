import Millrace
import MillraceFeature

extension EffectComponent {
  /// Returns the steps of a store with the effect's runs when its slice changes from one value to another.
  ///
  /// ```swift
  /// let plan = effect.plan(from: Search.State(query: "s"), to: Search.State(query: "swift"))
  /// #expect(plan == RequestPlan(starts: ["swift"], stops: ["s"]))
  /// ```
  ///
  /// Assumes that for every request of `old` a run is in progress. No body is executed. The plan is made from
  /// `requests(in:)`, `id(of:)` and `replacement`, by the code that decides in a store. Callable from any thread. Costs
  /// time in proportion to the number of requests.
  public func plan(from old: State, to new: State) -> RequestPlan<Request> {
    plan(from: identified(old), to: identified(new))
  }

  /// Returns the steps of a store when it connects the effect to a slice with this value.
  ///
  /// ```swift
  /// #expect(effect.plan(connectingTo: Search.State(query: "swift")) == RequestPlan(starts: ["swift"]))
  /// ```
  public func plan(connectingTo state: State) -> RequestPlan<Request> {
    plan(from: ([:], []), to: identified(state))
  }

  private typealias Identified = (requests: [ID: Request], clashes: Set<Request>)

  /// The requests of a state by identity, and those that share an identity.
  private func identified(_ state: State) -> Identified {
    let groups = Dictionary(grouping: requests(in: state), by: id(of:))
    return (
      groups.compactMapValues { $0.count == 1 ? $0[0] : nil },
      Set(groups.values.filter { $0.count > 1 }.joined())
    )
  }

  private func plan(from old: Identified, to new: Identified) -> RequestPlan<Request> {
    var plan = RequestPlan<Request>(clashes: old.clashes.union(new.clashes))
    var runs = EffectRuns(self)
    _ = runs.requestsChanged(to: Array(old.requests.values))
    for decision in runs.requestsChanged(to: Array(new.requests.values)) {
      switch decision {
      case .run(.starts, let run): plan.starts.insert(run.begun)
      case .run(.waits, let run):
        guard let former = old.requests[id(of: run.begun)] else { continue }
        plan.restarts.insert(RequestPlan.Replacement(of: former, by: run.begun))
      case .run(.handsOver, let run):
        plan.handsOver.insert(RequestPlan.Replacement(of: run.begun, by: run.newest))
      case .run(.stops, let run):
        if new.requests[id(of: run.begun)] == nil { plan.stops.insert(run.begun) }
      case .run(.discards, _), .clashes: continue  // no run waits, and no identity is shared
      }
    }
    for run in runs.live where run.newest == run.begun && !plan.starts.contains(run.begun) {
      guard let request = new.requests[id(of: run.begun)] else { continue }
      if request == run.begun {
        plan.stays.insert(request)
      } else {
        plan.ignores.insert(RequestPlan.Replacement(of: run.begun, by: request))
      }
    }
    return plan
  }
}
