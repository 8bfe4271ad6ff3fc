/// A stack of screens in the state, the newest last.
///
/// ```swift
/// var path = ScreenPath<Mail.Screen>([.inbox])
/// let first = path.push(.message(7))
/// path.push(.message(7))  // again, and not the same entry
/// path.pop(to: first)
/// ```
///
/// Each entry has its own identity, so that equal screens may be on a path more than once, and an entry can change its
/// screen. A path never gives the same identity twice; identities are encoded with the path.
public struct ScreenPath<Screen: Hashable & Sendable>: Hashable, Sendable {
  /// The identity of an entry, unique in its path.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    let number: UInt64

    /// Makes the identity of the entry with this number, from 1, for tests.
    public init(number: UInt64) { self.number = number }

    /// The number of the entry, in the form `#7`.
    public var description: String { "#\(number)" }
  }

  /// A screen at its place on a path.
  public struct Entry: Hashable, Sendable, Identifiable, CustomStringConvertible {
    /// The identity that the entry keeps while it is on the path.
    public let id: ID
    /// The screen.
    public var screen: Screen

    /// Makes an entry, for tests.
    public init(id: ID, screen: Screen) { (self.id, self.screen) = (id, screen) }

    /// The identity and the screen, in the form `#7 inbox`.
    public var description: String { "\(id) \(screen)" }
  }

  /// The entries, the newest last.
  public private(set) var entries: KeyedArray<Entry> = []
  private(set) var lastNumber: UInt64 = 0

  /// Makes a path without screens.
  public init() {}

  /// Makes a path of `screens`, the newest last. O(n)
  public init(_ screens: some Sequence<Screen>) {
    for screen in screens { push(screen) }
  }

  /// Makes a path in any condition, for tests.
  ///
  /// - Parameter lastNumber: the number of the last entry appended, which may have been removed.
  public init(entries: KeyedArray<Entry>, lastNumber: UInt64) {
    (self.entries, self.lastNumber) = (entries, lastNumber)
  }

  /// The screens, the newest last. O(n)
  public var screens: [Screen] { entries.map(\.screen) }

  /// The newest entry. O(log n)
  public var top: Entry? { entries.last }

  /// Appends a screen. O(log n)
  ///
  /// - Returns: the identity of its entry.
  @discardableResult
  public mutating func push(_ screen: Screen) -> ID {
    lastNumber += 1
    let id = ID(number: lastNumber)
    entries.append(Entry(id: id, screen: screen))
    return id
  }

  /// Removes the newest entry, and returns it; `nil` if there is none. O(log n)
  @discardableResult
  public mutating func pop() -> Entry? { entries.last.flatMap { entries.remove(id: $0.id) } }

  /// Removes all entries above this one. Does nothing if this one is not on the path. O(n)
  public mutating func pop(to id: ID) {
    guard let index = entries.index(id: id) else { return }
    keep(index + 1)
  }

  /// Removes this entry and all above it. Does nothing if this entry is not on the path. O(n)
  public mutating func remove(from id: ID) {
    guard let index = entries.index(id: id) else { return }
    keep(index)
  }

  /// Makes the entry show another screen, under the same identity. Does nothing if it is not on the path. O(log n)
  public mutating func change(_ id: ID, to screen: Screen) { entries[id: id]?.screen = screen }

  /// Makes the path consist of `screens`, such as for a link. Entries that already show the same screens are kept, from
  /// the first one on; the others are replaced. O(n)
  public mutating func show(_ screens: some Sequence<Screen>) {
    let screens = Array(screens)
    let kept = zip(entries, screens).prefix { $0.screen == $1 }.count
    keep(kept)
    for screen in screens[kept...] { push(screen) }
  }

  /// Replaces the entries; their identities must be of this path.
  package mutating func restore(_ entries: KeyedArray<Entry>) { self.entries = entries }

  private mutating func keep(_ count: Int) {
    while entries.count > count { pop() }
  }
}

extension ScreenPath.ID: Codable {}
extension ScreenPath.Entry: Encodable where Screen: Encodable {}
extension ScreenPath.Entry: Decodable where Screen: Decodable {}
