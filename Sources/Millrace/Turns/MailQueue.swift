/// What was sent, oldest first: envelopes, each with room for an action, whose type only the state box knows.
///
/// A list of chunks of raw memory. Nothing is moved once it was put in, however much waits, and a chunk that was
/// emptied is filled again. Raw memory rather than an array of a generic type: unspecialised, that looks metadata up
/// at every append, which costs more than the reducer.
struct MailQueue {
  /// A chunk begins with this; its records follow.
  private struct Chunk {
    var next: UnsafeMutablePointer<Chunk>?
    var capacity: Int
  }

  private typealias ChunkPointer = UnsafeMutablePointer<Chunk>

  private var oldest: ChunkPointer?
  private var newest: ChunkPointer?
  /// Chunks with nothing in them.
  private var spare: ChunkPointer?
  /// The oldest record, and where its chunk ends.
  private var front: UnsafeMutableRawPointer?
  private var frontLimit: UnsafeMutableRawPointer?
  /// Where the next record goes, and where that chunk ends.
  private var back: UnsafeMutableRawPointer?
  private var backLimit: UnsafeMutableRawPointer?
  /// How many records there are.
  private(set) var count = 0

  /// Records in the first chunk, which an idle queue keeps, and in the largest.
  private static let smallest = 8
  private static let largest = 512

  var isEmpty: Bool { count == 0 }

  /// Adds a record.
  ///
  /// - Returns: where its action is to be put, if it has one.
  mutating func append(_ envelope: Envelope, _ shape: MailShape) -> UnsafeMutableRawPointer {
    if back == backLimit { addChunk(shape) }
    guard let record = back else { preconditionFailure("a mail queue grows when it is full") }
    record.initializeMemory(as: Envelope.self, to: envelope)
    back = record + shape.stride
    count += 1
    return record + shape.actionOffset
  }

  /// Takes the envelope out of the oldest record, which stays until it is removed. There must be one.
  mutating func openFront() -> Envelope {
    let envelope = frontRecord.assumingMemoryBound(to: Envelope.self)
    let opened = envelope.move()
    envelope.initialize(to: Envelope(site: opened.site, enclosure: nil))
    return opened
  }

  /// Where the action of the oldest record lies. There must be one.
  func frontAction(_ shape: MailShape) -> UnsafeMutableRawPointer { frontRecord + shape.actionOffset }

  /// Removes the oldest record, whose envelope was opened or is plain.
  mutating func removeFront(_ shape: MailShape) { removeFront(1, shape) }

  /// Removes so many of the oldest records, which lie in one chunk.
  mutating func removeFront(_ number: Int, _ shape: MailShape) {
    let next = frontRecord + number * shape.stride
    count -= number
    front = next
    if next == frontLimit || count == 0 { retireOldest(shape) }
  }

  /// How many plain records, at most so many, come next in one chunk.
  func plainCount(atMost limit: Int, _ shape: MailShape) -> Int {
    guard count > 0, var record = front, let frontLimit else { return 0 }
    let end = min(limit, count)
    var plain = 0
    while plain < end, record != frontLimit, record.assumingMemoryBound(to: Envelope.self).pointee.isPlain {
      plain += 1
      record += shape.stride
    }
    return plain
  }

  /// Gives back what a burst has grown. It must be empty.
  mutating func shrink() {
    while let chunk = spare, chunk.pointee.next != nil || chunk.pointee.capacity > Self.smallest {
      spare = chunk.pointee.next
      chunk.deallocate()
    }
  }

  /// Drops what it holds, whose actions are the host's, and gives back everything. Ends its life.
  mutating func destroy(_ host: any ReducerHost, _ shape: MailShape) {
    while count > 0 {
      let envelope = openFront()
      if envelope.count == 0 { removeFront(shape) }
      for _ in 0..<envelope.count {
        host.drop(at: frontAction(shape))
        removeFront(shape)
      }
    }
    while let chunk = spare {
      spare = chunk.pointee.next
      chunk.deallocate()
    }
  }

  private var frontRecord: UnsafeMutableRawPointer {
    guard let front else { preconditionFailure("a mail queue is empty") }
    return front
  }

  private mutating func addChunk(_ shape: MailShape) {
    let chunk: ChunkPointer
    if let spare {
      chunk = spare
      self.spare = chunk.pointee.next
      chunk.pointee.next = nil
    } else {
      let capacity = min(Self.largest, newest.map { $0.pointee.capacity * 2 } ?? Self.smallest)
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: shape.headerSize + capacity * shape.stride, alignment: shape.alignment)
      chunk = memory.bindMemory(to: Chunk.self, capacity: 1)
      chunk.initialize(to: Chunk(next: nil, capacity: capacity))
    }
    let records = UnsafeMutableRawPointer(chunk) + shape.headerSize
    let limit = records + chunk.pointee.capacity * shape.stride
    back = records
    backLimit = limit
    if let newest {
      newest.pointee.next = chunk
    } else {
      oldest = chunk
      front = records
      frontLimit = limit
    }
    newest = chunk
  }

  private mutating func retireOldest(_ shape: MailShape) {
    guard let chunk = oldest else { preconditionFailure("a record lies in a chunk") }
    let next = chunk.pointee.next
    chunk.pointee.next = spare
    spare = chunk
    oldest = next
    if let next {
      let records = UnsafeMutableRawPointer(next) + shape.headerSize
      front = records
      frontLimit = records + next.pointee.capacity * shape.stride
    } else {
      newest = nil
      front = nil
      frontLimit = nil
      back = nil
      backLimit = nil
    }
  }
}

/// How a record of a mail queue lies in memory.
struct MailShape {
  let headerSize: Int
  let actionOffset: Int
  let stride: Int
  let alignment: Int

  init<Action>(for _: Action.Type) {
    alignment = max(16, MemoryLayout<Action>.alignment, MemoryLayout<Envelope>.alignment)
    headerSize = alignment
    let actionAlignment = MemoryLayout<Action>.alignment
    actionOffset = Self.roundUp(MemoryLayout<Envelope>.size, to: actionAlignment)
    stride = Self.roundUp(
      actionOffset + MemoryLayout<Action>.size, to: max(actionAlignment, MemoryLayout<Envelope>.alignment))
  }

  private static func roundUp(_ size: Int, to alignment: Int) -> Int {
    (size + alignment - 1) & ~(alignment - 1)
  }
}
