/// What a collection remembers of its last changes, for somebody who looks at it after each.
///
/// He keeps this object instead of the earlier version, which would make the next change copy its path. As long as he
/// holds it, a change begins another one, which says which elements it has touched since.
final class Revision: @unchecked Sendable {  // changed only while uniquely referenced
  /// The identity of one content. Who remembers a content holds its mark, and then a change makes another.
  private final class Mark: Sendable {}

  private var mark = Mark()
  /// The content from which this was made by touching elements; `nil` if that is not known.
  private var origin: Mark?
  /// The hashes of their ids. Mostly there is one, which takes no memory of its own.
  private var first = 0
  private var others: ContiguousArray<Int> = []

  /// Of a collection made anew.
  init() {}

  private init(after other: Revision, touching hash: Int) {
    origin = other.mark
    first = hash
  }

  /// Calls `body` with the hashes of the ids of all elements that were inserted, removed or touched since, with some
  /// more than once.
  ///
  /// - Returns: `false` if they are not known.
  func forEachHashTouched(since other: Revision, _ body: (Int) -> Void) -> Bool {
    guard origin === other.mark else { return false }
    body(first)
    others.forEach(body)
    return true
  }

  /// An element with this hash of its id is inserted, removed or touched in a collection of `count` elements.
  static func elementChanges(_ hash: Int, in revision: inout Revision?, count: Int) {
    if isKnownUniquelyReferenced(&revision) {
      revision!.add(hash, count)
    } else {
      revision = revision.map { Revision(after: $0, touching: hash) } ?? Revision()
    }
  }

  /// Any element may change.
  static func allChange(in revision: inout Revision?) { revision = Revision() }

  private func add(_ hash: Int, _ count: Int) {
    if !isKnownUniquelyReferenced(&mark) { mark = Mark() }
    guard origin != nil, hash != others.last ?? first else { return }
    if others.count < max(64, count / 8) {
      others.append(hash)
    } else {
      // To compare all elements costs no more than these, and nobody may ever ask.
      origin = nil
      others = []
    }
  }
}
