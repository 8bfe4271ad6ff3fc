/// What was sent, oldest first: envelopes, each with room for an action, whose type only the state box knows.
///
/// A list of chunks of raw memory. Nothing is moved once it was put in, however much waits, and a chunk that was
/// emptied is filled again. Raw memory rather than an array of a generic type: unspecialised, that looks metadata up
/// at every append, which costs more than the reducer.
struct MailQueue {
  /// A chunk begins with this; its records follow.
  private struct Chunk {
    var next: UnsafeMutablePointer<Chunk>?
    /// The number of records that fit, and where they end.
    var capacity: Int
    var limit: UnsafeMutableRawPointer
  }

  private typealias ChunkPointer = UnsafeMutablePointer<Chunk>

  private var oldest: ChunkPointer?
  private var newest: ChunkPointer?
  /// Chunks with nothing in them.
  private var spare: ChunkPointer?
  /// The oldest record.
  private var front: UnsafeMutableRawPointer?
  /// Where the next record goes.
  private var back: UnsafeMutableRawPointer?
  /// Short, since two of them are a part of every idle store.
  private var shortCount: UInt32 = 0

  /// Bytes at the beginning of a chunk.
  static var headerSize: Int { MemoryLayout<Chunk>.size }

  /// Records in the first chunk, which an idle queue keeps, and in the largest.
  private static let smallest = 8
  private static let largest = 512

  /// How many records there are.
  private(set) var count: Int {
    get { Int(shortCount) }
    set { shortCount = UInt32(newValue) }
  }

  var isEmpty: Bool { shortCount == 0 }

  /// Adds a record.
  ///
  /// - Returns: where its action is to be put, if it has one.
  mutating func append(_ envelope: Envelope, _ shape: MailShape) -> UnsafeMutableRawPointer {
    if back == newest?.pointee.limit { addChunk(shape) }
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
    if next == oldest?.pointee.limit || count == 0 { retireOldest(shape) }
  }

  /// How many plain records, at most so many, come next in one chunk.
  func plainCount(atMost limit: Int, _ shape: MailShape) -> Int {
    guard count > 0, var record = front, let chunkLimit = oldest?.pointee.limit else { return 0 }
    let end = min(limit, count)
    var plain = 0
    while plain < end, record != chunkLimit, record.assumingMemoryBound(to: Envelope.self).pointee.isPlain {
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
  mutating func destroy(_ host: ReducerHost, _ shape: MailShape) {
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
      let limit = memory + shape.headerSize + capacity * shape.stride
      chunk.initialize(to: Chunk(next: nil, capacity: capacity, limit: limit))
    }
    let records = UnsafeMutableRawPointer(chunk) + shape.headerSize
    back = records
    if let newest {
      newest.pointee.next = chunk
    } else {
      oldest = chunk
      front = records
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
      front = UnsafeMutableRawPointer(next) + shape.headerSize
    } else {
      newest = nil
      front = nil
      back = nil
    }
  }
}

/// How a record of a mail queue lies in memory.
struct MailShape {
  private let header, offset, distance, boundary: UInt32

  var headerSize: Int { Int(header) }
  var actionOffset: Int { Int(offset) }
  var stride: Int { Int(distance) }
  var alignment: Int { Int(boundary) }

  init<Action>(for _: Action.Type) {
    let alignment = max(16, MemoryLayout<Action>.alignment, MemoryLayout<Envelope>.alignment)
    let actionAlignment = MemoryLayout<Action>.alignment
    let actionOffset = Self.roundUp(MemoryLayout<Envelope>.size, to: actionAlignment)
    let stride = Self.roundUp(
      actionOffset + MemoryLayout<Action>.size, to: max(actionAlignment, MemoryLayout<Envelope>.alignment))
    header = UInt32(Self.roundUp(MailQueue.headerSize, to: alignment))
    offset = UInt32(actionOffset)
    distance = UInt32(stride)
    boundary = UInt32(alignment)
  }

  private static func roundUp(_ size: Int, to alignment: Int) -> Int {
    (size + alignment - 1) & ~(alignment - 1)
  }
}
