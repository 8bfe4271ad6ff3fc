/// The components that one server has taken to update one after the other, and how far it is with them. Pure.
///
/// Counts no references, which would cost more than all the rest: what has not begun is connected, and so kept by the
/// tree; what is being updated is kept by its server; what has ended by the tree or the list of the unfinished, and is
/// not looked at where there are none any more.
struct ComponentShare {
  private var components: [Unmanaged<ServedComponent>] = []
  /// How many of them were begun.
  private var begun = 0
  /// Whether the one begun last has not ended.
  private var isUpdating = false

  /// The component that is being updated.
  var current: ServedComponent? { isUpdating ? components[begun - 1].takeUnretainedValue() : nil }

  /// How many have not begun.
  var remaining: Int { components.count - begun }

  /// What was begun last has ended.
  mutating func updateEnded() { isUpdating = false }

  /// What was begun last has ended, and the next begins.
  ///
  /// - Returns: the next; `nil` if there is none.
  mutating func advance() -> ServedComponent? {
    isUpdating = begun < components.count
    if !isUpdating { return nil }
    begun += 1
    return components[begun - 1].takeUnretainedValue()
  }

  /// Takes more, once nothing is left.
  mutating func refill(_ more: [Unmanaged<ServedComponent>]) {
    precondition(components.isEmpty, "a share is refilled when it is empty")
    components = more
  }

  /// Gives back those whose updates have ended.
  mutating func takeEnded() -> [Unmanaged<ServedComponent>] {
    let ended = isUpdating ? begun - 1 : begun
    begun -= ended
    if ended < components.count {
      defer { components.removeFirst(ended) }
      return Array(components[..<ended])
    }
    defer { components = [] }
    return components
  }

  /// Gives away half of what has not begun, or the last of it.
  mutating func takeHalf() -> [Unmanaged<ServedComponent>] {
    let count = (remaining + 1) / 2
    defer { components.removeLast(count) }
    return Array(components.suffix(count))
  }

  /// Gives back what `condition` holds for, of those that have not begun.
  mutating func takeRemaining(where condition: (ServedComponent) -> Bool) -> [Unmanaged<ServedComponent>] {
    let taken = components[begun...].filter { condition($0.takeUnretainedValue()) }
    if !taken.isEmpty { components[begun...].removeAll { condition($0.takeUnretainedValue()) } }
    return taken
  }
}
