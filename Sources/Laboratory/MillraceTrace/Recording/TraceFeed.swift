import Millrace

/// The events that a recorder has received but not written, with a limit of memory. Pure.
///
/// Above half of the limit, details are dropped: updates and waits. Above the limit, everything is dropped until all
/// waiting items are written; then recording resumes with a fresh snapshot. Items are kept and taken in chunks. So no
/// item is moved as their number grows, and the items being written exceed the limit by one chunk at most.
struct TraceFeed<Item> {
  /// The fate of an item.
  enum Fate: Equatable {
    case kept
    case dropped
    /// A gap ends here: a snapshot replaces the item.
    case resumes(lost: Int, details: Int)
  }

  /// A list of items that are taken together.
  private struct Chunk {
    static var size: Int { 256 }

    var items: [Item] = []
    var bytes = 0
    /// The bytes of the snapshots among them.
    var snapshotBytes = 0
    var lostDetails = 0
  }

  /// The full chunks.
  private var full = Fifo<Chunk>()
  private var last = Chunk()
  /// The memory of the last chunk taken, for reuse.
  private var spare: [Item] = []
  /// The number of events lost in the gap that is open; `nil` if none is.
  private var gap: (lost: Int, details: Int)?
  private var bytes = 0
  /// The approximate size of the waiting snapshots in bytes.
  private(set) var snapshotBytes = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var isEmpty: Bool { full.isEmpty && last.items.isEmpty }

  /// An event has happened.
  ///
  /// - Parameters:
  ///   - weight: its approximate size in bytes.
  ///   - isDetail: whether it may be dropped early.
  ///   - canResume: whether a snapshot can be taken at this moment.
  ///   - make: makes the item, if it is kept.
  mutating func happened(
    weight: Int, isDetail: Bool = false, canResume: Bool = false, _ make: () -> Item
  ) -> Fate {
    if let (lost, details) = gap {
      if isEmpty, canResume {
        gap = nil
        return .resumes(lost: lost + 1, details: details)
      }
      gap = (lost + 1, details + (isDetail ? 1 : 0))
      return .dropped
    }
    if isDetail, bytes > limit / 2 {
      last.lostDetails += 1
      return .dropped
    }
    if bytes + weight > limit, !isEmpty {
      gap = (1, isDetail ? 1 : 0)
      return .dropped
    }
    put(weight: weight, make())
    return .kept
  }

  /// Adds an item regardless of the limit.
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

  /// No event follows.
  ///
  /// - Returns: the number of events lost, if a gap is open, which ends here; otherwise `nil`.
  mutating func ended() -> (lost: Int, details: Int)? {
    defer { gap = nil }
    return gap
  }

  /// Moves out the first waiting chunk, in exchange for an empty list whose memory is reused.
  ///
  /// - Returns: the number of details dropped meanwhile.
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
