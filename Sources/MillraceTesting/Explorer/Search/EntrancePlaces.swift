import Millrace

/// Where an effect is connected: the same where a lifetime has begun again.
struct EffectPlace: Hashable, @unchecked Sendable {  // immutable; the ids are parts of a Sendable state
  let name: String
  let site: CallSite
  let whereabouts: [AnyHashable]

  init(_ connection: ConnectionIdentity, _ whereabouts: [AnyHashable]) {
    name = connection.name
    site = connection.site
    self.whereabouts = whereabouts
  }
}

/// What tells an entrance from others, also where it belongs to an effect that a lifetime makes anew.
struct EntranceKey: Hashable, Sendable {
  /// Where the effect is connected of which a run first came to it.
  let place: EffectPlace
  let depth: Int
}

/// Which entrances belong to which effects. Effects may share one.
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

  func key(of entry: Entry, at place: EffectPlace) -> EntranceKey {
    let own = EntranceKey(place: place, depth: entry.depth)
    guard let found = known[ObjectIdentifier(entry.shared)], found.shared === entry.shared else {
      known[ObjectIdentifier(entry.shared)] = Known(shared: entry.shared, key: own)
      return own
    }
    if found.key != own, ofMany.insert(found.key).inserted { hasFoundMore = true }
    return found.key
  }

  /// Whether an entrance is there while these effects are connected.
  func lasts(_ entrance: EntranceKey, with present: Set<EffectPlace>) -> Bool {
    ofMany.contains(entrance) || present.contains(entrance.place)
  }
}
