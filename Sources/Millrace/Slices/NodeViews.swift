/// The views at one node, in groups of those that were connected through one store: a group has one place in line.
struct NodeViews {
  struct Group {
    let line: ViewGroup
    fileprivate(set) var views: [ViewEntry] = []
  }

  private(set) var groups: [Group] = []
  /// The groups by their scopes.
  private var indices: [ObjectIdentifier: Int] = [:]

  var last: ViewEntry? { groups.last?.views.last }

  func group(of view: ViewEntry) -> ViewGroup? {
    indices[ObjectIdentifier(view.scope)].map { groups[$0].line }
  }

  func forEach(_ body: (ViewEntry) -> Void) {
    for group in groups { group.views.forEach(body) }
  }

  mutating func add(_ view: ViewEntry) {
    let key = ObjectIdentifier(view.scope)
    let index = indices[key] ?? groups.count
    if index == groups.count {
      indices[key] = index
      groups.append(Group(line: ViewGroup(view.scope)))
    }
    NodeWatchers.add(view, view, to: &groups[index].views)
  }

  /// - Returns: the group that is not used any more, to be released when no lock is held.
  mutating func remove(_ view: ViewEntry) -> ViewGroup? {
    guard let index = indices[ObjectIdentifier(view.scope)] else { return nil }
    NodeWatchers.remove(view, from: &groups[index].views) { $0 }
    guard groups[index].views.isEmpty else { return nil }
    indices[ObjectIdentifier(view.scope)] = nil
    groups.swapAt(index, groups.count - 1)
    let removed = groups.removeLast()
    if index < groups.count { indices[ObjectIdentifier(groups[index].line.scope)] = index }
    return removed.line
  }
}
