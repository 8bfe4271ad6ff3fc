/// The connections at one node, by kind.
struct NodeConnections {
  var watchers: [Watcher] = []
  var displays: [Display] = []
  var keepers: [Keeper] = []
  /// The taps of a part, which end with it, or those of the store. They are neither served nor counted.
  var taps: [Tap] = []

  /// Returns a connection of one of these kinds.
  func any(of kinds: [ConnectionKind]) -> Connected? {
    func last(_ list: [some Connected]) -> Connected? { list.last { kinds.contains($0.kind) } }
    return last(watchers) ?? last(displays) ?? last(keepers) ?? last(taps)
  }
}

extension Array where Element: Connected {
  mutating func enter(_ connected: Element) {
    connected.index = count
    append(connected)
  }

  mutating func leave(_ connected: Element) {
    let index = connected.index
    swapAt(index, count - 1)
    removeLast()
    if index < count { self[index].index = index }
  }
}
