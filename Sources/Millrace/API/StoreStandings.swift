extension Store {
  /// How everything that is connected stands to a request, and the lifetimes, at one moment.
  package func standings(
    to request: some Hashable & Sendable
  ) -> (effects: [RequestStanding], lifetimes: [LifetimeStanding]) {
    let (effects, lifetimes) = engine.locked {
      let all = engine.allConnected(in: account).sorted { $0.id < $1.id }
      return (
        all.compactMap { connected in
          (connected as? any RequestServing)?.standing(to: request).map { (connected, connected.path, $0) }
        },
        all.compactMap { connected -> (Connected, SlicePath?, Int)? in
          guard let keeper = connected as? Keeper else { return nil }
          var count = 0
          keeper.forEachPart { _ in count += 1 }
          return (keeper, keeper.path, count)
        }
      )
    }
    return (
      effects.map { connected, path, standing in
        RequestStanding(
          connection: connected.identity, slice: path?.text ?? "-", answer: standing.answer,
          others: standing.others, stopping: standing.stopping)
      },
      lifetimes.map { connected, path, count in
        LifetimeStanding(connection: connected.identity, slice: path?.text ?? "-", partCount: count)
      }
    )
  }
}
