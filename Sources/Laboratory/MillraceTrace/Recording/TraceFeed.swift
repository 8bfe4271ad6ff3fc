/// What a recorder has seen and not written yet, with a limit to its memory. Pure.
///
/// Past half of the limit, details are dropped: updates and waits. Past the limit everything is, until all that waits is
/// written; then the recording goes on with a fresh snapshot.
struct TraceFeed<Item> {
  /// What becomes of an item.
  enum Fate: Equatable {
    case kept
    case dropped
    /// A gap ends here: a snapshot stands in place of the item.
    case resumes(lost: Int, details: Int)
  }

  private enum Phase: Equatable {
    case open
    case losing(lost: Int, details: Int)
  }

  private(set) var waiting: [Item] = []
  private var phase = Phase.open
  private var lostDetails = 0
  private var bytes = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Something has happened.
  ///
  /// - Parameters:
  ///   - weight: about how many bytes it occupies.
  ///   - isDetail: whether a recording can do without it.
  ///   - canResume: whether a snapshot can be taken at this moment.
  ///   - make: makes the item, if it is kept.
  mutating func happened(
    weight: Int, isDetail: Bool = false, canResume: Bool = false, _ make: () -> Item
  ) -> Fate {
    if case .losing(let lost, let details) = phase {
      guard waiting.isEmpty, canResume else {
        phase = .losing(lost: lost + 1, details: details + (isDetail ? 1 : 0))
        return .dropped
      }
      phase = .open
      return .resumes(lost: lost + 1, details: details)
    }
    if isDetail, bytes > limit / 2 {
      lostDetails += 1
      return .dropped
    }
    if bytes + weight > limit, !waiting.isEmpty {
      phase = .losing(lost: 1 + lostDetails, details: lostDetails + (isDetail ? 1 : 0))
      lostDetails = 0
      return .dropped
    }
    put(weight: weight, make())
    return .kept
  }

  /// Puts something in whatever waits.
  mutating func put(weight: Int, _ item: Item) {
    bytes += weight
    waiting.append(item)
  }

  /// Nothing more happens.
  ///
  /// - Returns: what is lost by then, if a gap goes on, which ends here.
  mutating func ended() -> (lost: Int, details: Int)? {
    guard case .losing(let lost, let details) = phase else { return nil }
    phase = .open
    return (lost, details)
  }

  /// Moves out what waits, in exchange for an empty list whose memory is used from here on.
  ///
  /// - Returns: the number of details that were dropped meanwhile.
  mutating func take(into items: inout [Item]) -> Int {
    defer { (bytes, lostDetails) = (0, 0) }
    swap(&waiting, &items)
    return lostDetails
  }
}
