import MillraceEffects

/// The identity of an entrance: a policy's gate that lets runs in. It stays the same if each lifetime makes the effect
/// anew.
struct EntranceKey: Hashable, Sendable {
  /// The number of the effect whose run first used the entrance.
  let effect: Int32
  let depth: Int
  /// Distinguishes the entrances of one policy.
  let name: EntranceName?
}

/// The entrances of each effect. Several effects may share one.
final class EntrancePlaces {
  private struct Known {
    weak var shared: AnyObject?
    let key: EntranceKey
  }

  private var known: [ObjectIdentifier: Known] = [:]
  /// The entrances that several effects share. They outlast each of these effects.
  ///
  /// If an exploration finds that a second effect uses an entrance, it begins anew. Otherwise the moves from a state
  /// would depend on the states explored before.
  private(set) var ofMany: Set<EntranceKey>
  /// Whether the exploration found an entrance that was not known to be shared.
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
}
