/// What an effect had decided when that was saved.
protocol RunsAtOneTime: AnyObject {
  /// All of it, but for the numbers of the runs.
  var contents: EffectContents { get }
  /// Its runs that a test holds, each with the request that it serves.
  var answerable: [AnswerableRun] { get }
}

/// What an effect has decided, in values of which two are equal if they behave the same. The effects of a lifetime that
/// begins again have other numbers and are the same.
package struct EffectContents: Hashable {
  package let connection: ConnectionIdentity
  /// Where the effect is connected: see `Attachment.whereabouts`.
  package let whereabouts: [AnyHashable]
  let table: [Erased: RunContents<Erased>]

  /// Whether nothing runs, waits or has finished.
  package var isEmpty: Bool { table.isEmpty }

  package static func == (left: Self, right: Self) -> Bool {
    left.connection.name == right.connection.name && left.connection.site == right.connection.site
      && left.whereabouts == right.whereabouts && left.table == right.table
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(connection.name)
    hasher.combine(whereabouts)
    hasher.combine(table)
  }
}

extension Attachment {
  /// What tells it from others that one call of `connect` connects in other places: the key paths of its slices, the
  /// lifetimes that it belongs to and the ids of their parts. The same where a lifetime has begun again.
  var whereabouts: [AnyHashable] {
    var places: [AnyHashable] = []
    var next = node
    while let node = next {
      if case .keyPath(let path)? = node.key { places.append(path) }
      if let id = node.partID { places.append(id) }
      next = node.parent
    }
    scope.upwards { if let keeper = $0.keeper { places += [keeper.label.text, keeper.site] } }
    return places
  }
}
