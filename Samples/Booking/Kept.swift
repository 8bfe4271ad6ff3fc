import MillraceCollections

/// The part of the state that is on disk. The next run of the program goes on from there, also after a kill.
struct Kept: Codable, Equatable, Sendable {
  /// The wanted screens. Their entries keep their identities.
  var path = ScreenPath<Screen>([.trips])
  /// Where to go once nothing is in the way.
  var destination: [Screen]?
  var user: String?
  /// The drafts by their trips.
  var drafts: [Int: Draft] = [:]
  var tickets: [Ticket] = []
}
