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
  /// The ids of the parts of the state to which the effect belongs, outermost first.
  package let parts: [AnyHashable]
  let table: [Erased: RunContents<Erased>]

  /// Whether nothing runs, waits or has finished.
  package var isEmpty: Bool { table.isEmpty }

  package static func == (left: Self, right: Self) -> Bool {
    left.connection.name == right.connection.name && left.connection.site == right.connection.site
      && left.parts == right.parts && left.table == right.table
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(connection.name)
    hasher.combine(parts)
    hasher.combine(table)
  }
}
