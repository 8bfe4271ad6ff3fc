import Foundation

/// The messages that one connection has not sent yet, split into frames.
struct WebSocketOutbox {
  /// The next frame to send.
  struct Part: Equatable {
    var kind: WebSocketFrame.Kind
    var isFinal: Bool
    var payload: ArraySlice<UInt8>
    /// The number of its message.
    var number: Int
  }

  private let largestFrame: Int
  private var outgoing: [WebSocketOutgoing]
  /// The index in `outgoing` from which messages may not have been sent.
  private var index = 0
  /// The numbers of `outgoing` that were sent over this connection, or are being sent.
  private var sent: Set<Int> = []
  /// The message of which only some frames were sent.
  private var current: (number: Int, rest: ArraySlice<UInt8>)?

  init(_ request: WebSocketRequest) {
    largestFrame = max(1, request.largestFrame)
    outgoing = request.outgoing
  }

  /// Replaces the messages. A message that was begun is sent completely in any case. O(number of messages)
  mutating func changed(_ outgoing: [WebSocketOutgoing]) {
    self.outgoing = outgoing
    index = 0
    // A number that has left the list and returns is a new message.
    sent = Set(outgoing.lazy.map(\.number).filter { [sent] in sent.contains($0) })
  }

  /// Returns the next frame, if there is one.
  mutating func next() -> Part? {
    if let current { return part(.continuation, current.number, current.rest) }
    while index < outgoing.count {
      let next = outgoing[index]
      index += 1
      guard sent.insert(next.number).inserted else { continue }
      switch next.message {
      case .text(let text): return part(.text, next.number, Array(text.utf8)[...])
      case .binary(let bytes): return part(.binary, next.number, Array(bytes)[...])
      }
    }
    return nil
  }

  private mutating func part(_ kind: WebSocketFrame.Kind, _ number: Int, _ rest: ArraySlice<UInt8>) -> Part {
    let payload = rest.prefix(largestFrame)
    let isFinal = payload.count == rest.count
    current = isFinal ? nil : (number, rest.dropFirst(payload.count))
    return Part(kind: kind, isFinal: isFinal, payload: payload, number: number)
  }
}
