import Foundation

/// The received parts of one answer that have not been taken.
struct TransferBuffer {
  /// The items for the taker, in this order. The body comes in any number of parts.
  enum Item: Equatable {
    case head(HTTPHead)
    case body(Data)
    case end(HTTPFailure?)
  }

  enum Verdict {
    /// The bytes are kept.
    case taken
    /// The bytes must be delivered again when the reading is resumed.
    case later
    /// No further bytes are wanted.
    case never
  }

  /// The number of body bytes that are kept, unless a single part is larger.
  static let capacity = 256 << 10

  private var head: HTTPHead?
  private var body = Data()
  private var isPaused = false
  private var end: Item?
  private var isAbandoned = false

  /// The head has arrived.
  mutating func headArrived(_ head: HTTPHead) {
    if end == nil { self.head = head }
  }

  /// A part of the body has arrived.
  mutating func bodyArrived(_ part: UnsafeRawBufferPointer) -> Verdict {
    guard end == nil else { return .never }
    if !body.isEmpty, body.count + part.count > Self.capacity {
      isPaused = true
      return .later
    }
    body.append(contentsOf: part)
    return .taken
  }

  /// Keeps a part even if there is no room for it.
  mutating func keep(_ part: Data) {
    if end == nil { body.append(part) }
  }

  /// The answer has ended. Waiting parts remain for the taker.
  mutating func ended(_ failure: HTTPFailure?) {
    if end == nil { end = .end(failure) }
  }

  /// The answer is given up. Waiting parts are dropped. Returns whether it had not ended before.
  mutating func abandoned(_ failure: HTTPFailure) -> Bool {
    guard !isAbandoned else { return false }
    let wasOpen = end == nil
    isAbandoned = true
    end = .end(failure)
    head = nil
    body = Data()
    return wasOpen
  }

  /// Returns the next item, if there is one, and whether to resume the reading.
  mutating func take() -> (item: Item, resumes: Bool)? {
    if let head = head.take() { return (.head(head), false) }
    if !body.isEmpty {
      defer { (body, isPaused) = (Data(), false) }
      return (.body(body), isPaused)
    }
    return end.map { ($0, false) }
  }
}
