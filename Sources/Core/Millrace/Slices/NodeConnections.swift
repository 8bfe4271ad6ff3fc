/// What is connected at one node, by kind.
struct NodeConnections {
  var watchers: [Watcher] = []
  var displays: [Display] = []
  var keepers: [Keeper] = []
  /// The taps of a part, which end with it, or those of the store. They are not served, and not counted.
  var taps: [Tap] = []

  /// One of those that are served.
  var any: Connected? { watchers.last ?? displays.last ?? keepers.last }
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
