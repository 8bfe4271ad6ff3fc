import Millrace

/// A component that counts its updates.
///
/// A class without a lock: the store never overlaps two updates of one connection, and the counts are read after it has
/// settled.
final class Watcher: Component, @unchecked Sendable {  // updates never overlap
  private(set) var deliveries = 0
  private(set) var last = Int.min
  /// Whether every value was above the previous one.
  private(set) var isAscending = true

  func update(_ props: Int) async {
    deliveries += 1
    isAscending = isAscending && props > last
    last = props
  }
}
