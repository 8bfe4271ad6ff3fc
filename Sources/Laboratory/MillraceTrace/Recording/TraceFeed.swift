import Millrace

/// What a recorder has seen and not written yet, with a limit to its memory. Pure.
///
/// Past half of the limit, details are dropped: updates and waits. Past the limit everything is, until all that waits is
/// written; then the recording goes on with a fresh snapshot. Items are kept and taken in chunks, so that none is moved as
/// their number grows, and what is being written occupies no more than a chunk beside the limit.
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

  /// Items that are taken together.
  private struct Chunk {
    static var size: Int { 256 }

    var items: [Item] = []
    var bytes = 0
    /// How many of the bytes are snapshots'.
    var snapshotBytes = 0
    var lostDetails = 0
  }

  /// The full chunks.
  private var full = Fifo<Chunk>()
  private var last = Chunk()
  /// The memory of the chunk that was taken last.
  private var spare: [Item] = []
  private var phase = Phase.open
  private var bytes = 0
  /// About how many bytes the snapshots occupy that wait.
  private(set) var snapshotBytes = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var isEmpty: Bool { full.isEmpty && last.items.isEmpty }

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
      guard isEmpty, canResume else {
        phase = .losing(lost: lost + 1, details: details + (isDetail ? 1 : 0))
        return .dropped
      }
      phase = .open
      return .resumes(lost: lost + 1, details: details)
    }
    if isDetail, bytes > limit / 2 {
      last.lostDetails += 1
      return .dropped
    }
    if bytes + weight > limit, !isEmpty {
      phase = .losing(lost: 1, details: isDetail ? 1 : 0)
      return .dropped
    }
    put(weight: weight, make())
    return .kept
  }

  /// Puts something in whatever waits.
  mutating func put(weight: Int, isSnapshot: Bool = false, _ item: Item) {
    if last.items.count == Chunk.size {
      full.append(last)
      last = Chunk()
    }
    if last.items.isEmpty {
      swap(&last.items, &spare)
      last.items.reserveCapacity(Chunk.size)
    }
    bytes += weight
    last.bytes += weight
    if isSnapshot {
      snapshotBytes += weight
      last.snapshotBytes += weight
    }
    last.items.append(item)
  }

  /// Nothing more happens.
  ///
  /// - Returns: what is lost by then, if a gap goes on, which ends here.
  mutating func ended() -> (lost: Int, details: Int)? {
    guard case .losing(let lost, let details) = phase else { return nil }
    phase = .open
    return (lost, details)
  }

  /// Moves out the first chunk that waits, in exchange for an empty list whose memory is used again.
  ///
  /// - Returns: the number of details that were dropped meanwhile.
  mutating func take(into items: inout [Item]) -> Int {
    var chunk = full.takeFirst() ?? Chunk()
    if chunk.items.isEmpty { swap(&chunk, &last) }
    bytes -= chunk.bytes
    snapshotBytes -= chunk.snapshotBytes
    swap(&items, &chunk.items)
    swap(&spare, &chunk.items)
    return chunk.lostDetails
  }
}
