/// A collection's log of its last changes, for an observer that looks at the collection from time to time.
///
/// The observer holds the revision instead of the earlier version: a held version would make the next change copy a path.
/// While it holds the revision, the next change begins another revision, which lists the elements touched since.
package final class Revision: @unchecked Sendable {  // changed only while uniquely referenced
  /// The identity of one content of the collection. A revision made from this content holds the mark, and then a change
  /// begins a new mark.
  private final class Mark: Sendable {}

  private var mark = Mark()
  /// The content from which the collection was made by touching the listed elements; nil if that is unknown.
  private var origin: Mark?
  /// The hash of the first touched element's id, which is mostly the only one and needs no allocation.
  private var first = 0
  /// The hashes of the ids of the elements touched after the first.
  private var others: ContiguousArray<Int> = []

  /// The revision of a new collection: its origin is unknown.
  init() {}

  private init(after other: Revision, touching hash: Int) {
    origin = other.mark
    first = hash
  }

  /// Calls `body` with the hash of the id of every element that was inserted, removed or touched since `other`, and with
  /// some hashes more than once.
  ///
  /// - Returns: false, without calling `body`, if these elements are unknown.
  package func forEachHashTouched(since other: Revision, _ body: (Int) -> Void) -> Bool {
    guard origin === other.mark else { return false }
    body(first)
    others.forEach(body)
    return true
  }

  /// Logs that an element with this hash of its id is inserted, removed or touched in a collection of `count` elements.
  static func elementChanges(_ hash: Int, in revision: inout Revision?, count: Int) {
    if isKnownUniquelyReferenced(&revision) {
      revision!.add(hash, count)
    } else {
      revision = revision.map { Revision(after: $0, touching: hash) } ?? Revision()
    }
  }

  /// Logs that any element may change.
  static func allChange(in revision: inout Revision?) { revision = Revision() }

  private func add(_ hash: Int, _ count: Int) {
    if !isKnownUniquelyReferenced(&mark) { mark = Mark() }
    guard origin != nil, hash != others.last ?? first else { return }
    if others.count < max(64, count / 8) {
      others.append(hash)
    } else {
      // Comparing all elements costs no more than this many lookups, and possibly nobody asks.
      origin = nil
      others = []
    }
  }
}
