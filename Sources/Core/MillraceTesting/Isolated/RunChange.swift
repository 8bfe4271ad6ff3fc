import Millrace

/// The step of a run table for the requests of one identity, or for one request, when the state asks for other ones.
enum RunChange<Request: Hashable>: Hashable {
  case starts(Request)
  case stays(Request)
  case stops(Request)
  /// The run of the first is stopped, and one of the second begins when it has returned.
  case restarts(Request, as: Request)
  case handsOver(Request, to: Request)
  case ignores(Request, while: Request)
}

extension RunTable where Request: Hashable {
  /// The changes of the runs of `old`, none of which has returned, when the state asks for `new`.
  ///
  /// Both hold one request of each identity at most.
  static func changes(
    from old: [(id: ID, request: Request)], to new: [(id: ID, request: Request)],
    replacement: RequestReplacement
  ) -> [RunChange<Request>] {
    var table = RunTable()
    var generations: UInt64 = 0
    var served: [UInt64: Request] = [:]
    for step in table.requestsChanged(to: old, replacement: replacement, generations: &generations).others {
      if case .create(let generation, let request, _) = step { served[generation] = request }
    }
    let requests = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0.request) })
    let ids = Dictionary(uniqueKeysWithValues: new.map { ($0.request, $0.id) })
    let former = { (request: Request) in ids[request].flatMap { requests[$0] } }
    var (changes, changed, replaced): ([RunChange<Request>], Set<Request>, Set<Request>) = ([], [], [])
    var stopped: [Request] = []
    let steps = table.requestsChanged(to: new, replacement: replacement, generations: &generations)
    for step in steps.ends + steps.others {
      switch step {
      case .create(_, let request, _):
        changed.insert(request)
        let former = former(request)
        if let former { replaced.insert(former) }
        changes.append(former.map { .restarts($0, as: request) } ?? .starts(request))
      case .handOver(let generation, let request):
        changed.insert(request)
        if let former = served[generation] { changes.append(.handsOver(former, to: request)) }
      case .stop(let generation):
        if let request = served[generation] { stopped.append(request) }
      case .begin, .discard, .clash: break  // no run has returned, none waits, and no identity is shared
      }
    }
    changes += stopped.filter { !replaced.contains($0) }.map { .stops($0) }
    for (id, request) in new where !changed.contains(request) {
      let former = requests[id] ?? request
      changes.append(former == request ? .stays(request) : .ignores(request, while: former))
    }
    return changes
  }
}
