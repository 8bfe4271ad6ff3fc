import Millrace

/// Where an effect is connected: the same where a lifetime has begun again.
struct EffectPlace: Hashable {
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
struct EntranceKey: Hashable {
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
  /// The entrances of more than one effect, which last longer than each of these.
  private var ofMany: Set<EntranceKey> = []

  func key(of entry: Entry, at place: EffectPlace) -> EntranceKey {
    let own = EntranceKey(place: place, depth: entry.depth)
    guard let found = known[ObjectIdentifier(entry.shared)], found.shared === entry.shared else {
      known[ObjectIdentifier(entry.shared)] = Known(shared: entry.shared, key: own)
      return own
    }
    if found.key != own { ofMany.insert(found.key) }
    return found.key
  }

  /// Whether an entrance is there while these effects are connected.
  func lasts(_ entrance: EntranceKey, with present: Set<EffectPlace>) -> Bool {
    ofMany.contains(entrance) || present.contains(entrance.place)
  }
}
