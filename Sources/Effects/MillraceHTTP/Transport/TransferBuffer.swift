import Foundation

/// The received parts of one answer that have not been taken.
struct TransferBuffer {
  /// The items for the taker, in this order; the body in any number of parts.
  enum Item: Equatable {
    case head(HTTPHead)
    case body(Data)
    case end(HTTPFailure?)
  }

  enum Verdict {
    /// The bytes are kept.
    case taken
    /// The bytes are to be brought again once the wire is resumed.
    case later
    /// No more bytes are wanted.
    case never
  }

  /// How much of a body is kept, in bytes, unless one part alone is larger.
  static let capacity = 256 << 10

  private var head: HTTPHead?
  private var body = Data()
  private var isPaused = false
  private var end: Item?
  private var isAbandoned = false

  /// The head is there.
  mutating func headArrived(_ head: HTTPHead) {
    if end == nil { self.head = head }
  }

  /// A part of the body is there.
  mutating func bodyArrived(_ part: UnsafeRawBufferPointer) -> Verdict {
    guard end == nil else { return .never }
    if !body.isEmpty, body.count + part.count > Self.capacity {
      isPaused = true
      return .later
    }
    body.append(contentsOf: part)
    return .taken
  }

  /// A part for which there was no room is kept all the same.
  mutating func keep(_ part: Data) {
    if end == nil { body.append(part) }
  }

  /// The answer is over. Waiting parts are still to be taken.
  mutating func ended(_ failure: HTTPFailure?) {
    if end == nil { end = .end(failure) }
  }

  /// The answer is given up. Waiting parts are dropped. Returns whether it was not over before.
  mutating func abandoned(_ failure: HTTPFailure) -> Bool {
    guard !isAbandoned else { return false }
    let wasOpen = end == nil
    isAbandoned = true
    end = .end(failure)
    head = nil
    body = Data()
    return wasOpen
  }

  /// The next item, if there is one, and whether the wire is to be resumed.
  mutating func take() -> (item: Item, resumes: Bool)? {
    if let head {
      self.head = nil
      return (.head(head), false)
    }
    if !body.isEmpty {
      defer { (body, isPaused) = (Data(), false) }
      return (.body(body), isPaused)
    }
    return end.map { ($0, false) }
  }
}
