/// The last links of a suspiciously long chain of runs, until one connection comes up again. Pure.
struct LoopTrail {
  /// One run of the chain: what it was started by and what it is.
  struct Link {
    let connection: UInt64
    let text: String
  }

  private(set) var links: [Link] = []

  /// A run was started further down the chain.
  ///
  /// - Returns: the cycle as text, from the last time this connection came up, if it has.
  mutating func runStarted(_ link: Link) -> String? {
    defer { links.append(link) }
    guard let first = links.firstIndex(where: { $0.connection == link.connection }) else { return nil }
    return (links[(first + 1)...] + [link]).map(\.text).joined(separator: " → ")
  }
}

extension Engine {
  /// The cause of a run that the current turn decides, with a report if its chain has become a loop.
  func causeOfRun(at place: Place, request: any Sendable) -> RunCause {
    var cause = RunCause(action: tables.turn.pointee.action)
    guard let parent = tables.turn.pointee.run else { return cause }
    let isFresh = parent.cause.instant.duration(to: cause.instant) >= options.loopBudget.quiet
    cause.depth = isFresh ? 1 : parent.cause.depth + 1
    guard cause.depth > options.loopBudget.runs, !tables.reportedLoops.contains(place.id) else {
      return cause
    }
    var trail = isFresh ? LoopTrail() : parent.cause.trail ?? LoopTrail()
    let action = String(reflecting: tables.turn.pointee.staged ?? host.action(at: nextAction))
    let link = LoopTrail.Link(
      connection: place.id,
      text: "\(action) → \(place.node?.path ?? "-") → \(place.name)(\(String(reflecting: request)))")
    if let cycle = trail.runStarted(link) {
      tables.reportedLoops.insert(place.id)
      report(
        .loop, place.site,
        "\(place.name) keeps answering its own result: \(cause.depth) runs without outside cause, in the cycle \(cycle)"
      )
    } else {
      cause.trail = trail
    }
    return cause
  }
}
