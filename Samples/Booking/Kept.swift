import MillraceCollections

/// The part of the state that is on disk. The next run of the program starts from it, also after a kill.
struct Kept: Codable, Equatable, Sendable {
  /// The wanted screens. Their entries keep their identities.
  var path = ScreenPath<Screen>([.trips])
  /// The screens to show once the open questions are answered.
  var destination: [Screen]?
  var user: String?
  /// The drafts by their trips.
  var drafts: [Int: Draft] = [:]
  var tickets: [Ticket] = []
}
