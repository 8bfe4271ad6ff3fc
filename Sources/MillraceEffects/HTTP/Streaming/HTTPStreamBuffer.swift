import Foundation

/// What a stream has brought and nobody has taken yet, of which so much is kept in memory and the rest in a file.
///
/// What was taken late is taken together: the slower the taker, the larger and the fewer the parts.
struct HTTPStreamBuffer {
  typealias Outcome = Result<HTTPResponse, HTTPFailure>

  enum Item: Equatable {
    case part(HTTPStreamPart)
    /// So many bytes of the body, which are the next in the file.
    case spooled(Int)
    case end(Outcome)
  }

  /// The largest part, and how much of the body is kept in memory, in bytes.
  static let capacity = 1 << 20

  private var head: HTTPStreamPart?
  private var body = Data()
  private var spooled = 0
  private var outcome: Outcome?

  /// The head is there.
  mutating func headArrived(_ head: HTTPStreamPart) {
    if outcome == nil { self.head = head }
  }

  /// A part of the body is there. Returns whether it has to go to the file.
  mutating func bodyArrived(_ part: Data) -> Bool {
    guard outcome == nil else { return false }
    if spooled > 0 || body.count + part.count > Self.capacity {
      spooled += part.count
      return true
    }
    body.append(part)
    return false
  }

  /// The exchange has an outcome, which comes after what was brought before. One that was given up has it at once.
  mutating func ended(_ outcome: Outcome) {
    guard self.outcome == nil else { return }
    self.outcome = outcome
    if outcome == .failure(.cancelled) || outcome == .failure(.timedOut) {
      head = nil
      body = Data()
      spooled = 0
    }
  }

  /// What is to be taken next, if it is there.
  mutating func take() -> Item? {
    if let head {
      self.head = nil
      return .part(head)
    }
    if !body.isEmpty {
      let part = body
      body = Data()
      return .part(.body(part))
    }
    if spooled > 0 {
      let count = min(spooled, Self.capacity)
      spooled -= count
      return .spooled(count)
    }
    return outcome.map { .end($0) }
  }
}
