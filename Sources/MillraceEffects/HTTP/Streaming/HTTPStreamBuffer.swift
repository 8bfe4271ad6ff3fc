import Foundation

/// What a stream has brought and nobody has taken yet.
///
/// Bodies are bounded by having the source wait while there is more than `capacity`. What was taken late is taken
/// together: the slower the taker, the larger and the fewer the parts.
struct HTTPStreamBuffer {
  typealias Outcome = Result<HTTPResponse, HTTPFailure>

  enum Item: Equatable {
    case part(HTTPStreamPart)
    case end(Outcome)
  }

  /// How many bytes of the body may wait before the source has to, in bytes.
  static let capacity = 128 << 10

  private var head: HTTPStreamPart?
  private var body = Data()
  private var outcome: Outcome?
  /// Whether the source waits until there is room.
  private(set) var holdsSource = false

  /// The head is there.
  mutating func headArrived(_ head: HTTPStreamPart) {
    if outcome == nil { self.head = head }
  }

  /// A part of the body is there. Returns whether the source is to wait, which is told once until it is let go.
  mutating func bodyArrived(_ part: Data) -> Bool {
    guard outcome == nil else { return false }
    body.append(part)
    guard body.count >= Self.capacity, !holdsSource else { return false }
    holdsSource = true
    return true
  }

  /// The exchange has an outcome, which comes after what was brought before. One that was given up has it at once.
  /// Returns whether the source is to be let go.
  mutating func ended(_ outcome: Outcome) -> Bool {
    guard self.outcome == nil else { return false }
    self.outcome = outcome
    if outcome == .failure(.cancelled) || outcome == .failure(.timedOut) {
      head = nil
      body = Data()
    }
    defer { holdsSource = false }
    return holdsSource
  }

  /// What is to be taken next, if it is there, and whether the source is to be let go.
  mutating func take() -> (item: Item, releasesSource: Bool)? {
    if let head {
      self.head = nil
      return (.part(head), false)
    }
    guard body.isEmpty else {
      let part = body
      body = Data()
      defer { holdsSource = false }
      return (.part(.body(part)), holdsSource)
    }
    return outcome.map { (.end($0), false) }
  }
}
