import Millrace

extension EffectComponent {
  /// A store's changes of the runs of the effect, none of which has returned, when its slice changes; on connect where
  /// `old` is `nil`.
  ///
  /// - Returns: the changes in no order, and the requests of either state that share their identity with another one of
  ///   that state, which are in no change.
  func runChanges(
    from old: State?, to new: State
  ) -> (changes: [RunChange<Request>], clashes: Set<Request>) {
    let (before, oldClashes) = identified(old)
    let (after, newClashes) = identified(new)
    return (
      RunTable.changes(from: before, to: after, replacement: replacement), oldClashes.union(newClashes)
    )
  }

  private func identified(_ state: State?) -> (requests: [(id: ID, request: Request)], clashes: Set<Request>)
  {
    guard let state else { return ([], []) }
    let groups = Dictionary(grouping: requests(in: state), by: id(of:))
    let clashes = groups.values.filter { $0.count > 1 }.joined()
    return (groups.filter { $0.value.count == 1 }.map { (id: $0.key, request: $0.value[0]) }, Set(clashes))
  }
}
