import Millrace
import MillraceEffects

/// The identity of an entrance, also of one whose effect is made anew with each lifetime.
struct EntranceKey: Hashable, Sendable {
  /// The number of the effect of which a run first came to it.
  let effect: Int32
  let depth: Int
  /// Tells the entrances of one policy apart.
  let name: EntranceName?
}

/// The entrances of each effect. Effects may share one.
final class EntrancePlaces {
  private struct Known {
    weak var shared: AnyObject?
    let key: EntranceKey
  }

  private var known: [ObjectIdentifier: Known] = [:]
  /// The entrances that several effects share. They outlast each of these effects.
  ///
  /// An exploration learns of them as it meets the second effect, and then begins anew. Otherwise the moves from a place
  /// would depend on what was explored before it.
  private(set) var ofMany: Set<EntranceKey>
  /// Whether an entrance was found that was not known to be shared.
  private(set) var hasFoundMore = false

  init(ofMany: Set<EntranceKey>) { self.ofMany = ofMany }

  func key(of entry: Entry, at effect: Int32) -> EntranceKey {
    let own = EntranceKey(effect: effect, depth: entry.depth, name: entry.key)
    guard let found = known[ObjectIdentifier(entry.shared)], found.shared === entry.shared else {
      known[ObjectIdentifier(entry.shared)] = Known(shared: entry.shared, key: own)
      return own
    }
    if found.key != own, ofMany.insert(found.key).inserted { hasFoundMore = true }
    return found.key
  }

  /// Whether an entrance is there while these effects are connected.
  func lasts(_ entrance: EntranceKey, with present: Set<Int32>) -> Bool {
    ofMany.contains(entrance) || present.contains(entrance.effect)
  }
}
