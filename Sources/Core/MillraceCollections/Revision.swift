/// A log of a collection's last changes, for an observer that checks the collection from time to time.
///
/// The observer holds the revision instead of the earlier version, since a held version would make the next change copy
/// a path. If the revision is held, the next change begins a new one, which lists the elements touched since.
package final class Revision: @unchecked Sendable {  // changed only while uniquely referenced
  /// Identifies one content of the collection. A revision that begins at this content holds the mark as its origin; a
  /// later change then makes a new mark.
  private final class Mark: Sendable {}

  private var mark = Mark()
  /// The mark of the content from which touching the listed elements led to the present one; `nil` if unknown.
  private var origin: Mark?
  /// The hash of the first touched element's id. Usually it is the only one, and then needs no allocation.
  private var first = 0
  /// The hashes of the ids of the elements touched after the first.
  private var others: ContiguousArray<Int> = []

  /// Makes the revision of a new collection, without an origin.
  init() {}

  private init(after other: Revision, touching hash: Int) {
    origin = other.mark
    first = hash
  }

  /// Calls `body` with the hash of the id of every element that was inserted, removed or touched since `other`; some
  /// hashes are repeated.
  ///
  /// - Returns: `false`, without calling `body`, if these elements are unknown.
  package func forEachHashTouched(since other: Revision, _ body: (Int) -> Void) -> Bool {
    guard origin === other.mark else { return false }
    body(first)
    others.forEach(body)
    return true
  }

  /// Logs that an element whose id has this hash is inserted, removed or touched in a collection of `count` elements.
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
      // Comparing all elements would cost no more than looking up so many, and perhaps no observer asks.
      origin = nil
      others = []
    }
  }
}
