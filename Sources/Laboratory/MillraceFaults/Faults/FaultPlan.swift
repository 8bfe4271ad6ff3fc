/// The faults to be tried for the requests that a test answers. Pure.
struct FaultPlan {
  /// A fault with the requests that it strikes.
  struct Strike: Hashable, Sendable {
    let target: FaultTarget
    let fault: RequestFault

    var text: String { "\(target.text) \(fault.text)" }

    /// This fault, striking all requests of the kind.
    var ofAll: Strike { Strike(target: FaultTarget(allOf: target.kind), fault: fault) }
  }

  /// The faults tried alone; those of all requests of a kind come first.
  private(set) var singles: [Strike] = []
  /// The number of faults of single requests and of faults halfway that were left out.
  private(set) var omittedSingles = 0

  /// - Parameters:
  ///   - canFail: whether a failure of a request is known.
  ///   - limit: the largest number of faults of single requests and of faults halfway.
  init(of entries: [AnsweredRequests.Entry], limit: Int, canFail: (AnsweredRequests.Entry) -> Bool) {
    var kinds: [RequestKind] = []
    for entry in entries where !kinds.contains(entry.request.kind) { kinds.append(entry.request.kind) }
    let groups = kinds.map { kind in (kind, entries.filter { $0.request.kind == kind }) }
    func strikes(
      _ faults: [RequestFault], _ target: FaultTarget, _ entries: [AnsweredRequests.Entry]
    ) -> [Strike] {
      let isFailing = entries.contains(where: canFail)
      return faults.filter { !$0.isFailure || isFailing }.map { Strike(target: target, fault: $0) }
    }
    singles = groups.flatMap { strikes(RequestFault.whole, FaultTarget(allOf: $0), $1) }
    let halfway = groups.flatMap { kind, entries in
      strikes(
        RequestFault.halfway(of: entries.map(\.halfway).max() ?? 0), FaultTarget(allOf: kind), entries)
    }
    let ones = groups.filter { $0.1.count > 1 }.flatMap(\.1).flatMap { entry in
      let faults = RequestFault.whole + RequestFault.halfway(of: entry.halfway)
      return strikes(faults, FaultTarget(entry.request), [entry])
    }
    singles += (halfway + ones).prefix(limit)
    omittedSingles = max(0, halfway.count + ones.count - limit)
  }

  /// The pairs of faults that strike different requests; those of all requests of a kind come first.
  var pairs: [(first: Int, second: Int)] {
    singles.indices.flatMap { second in
      (0..<second).filter { singles[$0].target.isApart(from: singles[second].target) }.map { ($0, second) }
    }
  }
}
