import Foundation

/// Reads the bytes of a server after the handshake, in parts of any size, and returns messages and control frames.
///
/// A pure value: its results do not depend on how the bytes are split into parts. It keeps at most one message and one
/// header in memory. It rejects a message that is too large when its size is announced.
struct WebSocketReader {
  enum Item: Equatable {
    case message(WebSocketMessage)
    case ping([UInt8])
    case pong([UInt8])
    case close(WebSocketClose)
  }

  /// A message whose last fragment has not arrived.
  private struct Message {
    var isText: Bool
    var bytes: [UInt8] = []
    var fragments = 0
    var text = UTF8Check()
  }

  /// The largest number of fragments of a message. The Autobahn test suite sends 65,537.
  static let mostFragments = 131_072

  private let largestMessage: Int
  private let mostFragments: Int
  private var header: [UInt8] = []
  private var frame: WebSocketFrame?
  /// The number of received bytes of the frame's payload.
  private var received = 0
  private var message: Message?
  private var control: [UInt8] = []
  /// The violation that ended the reading.
  private(set) var failure: WebSocketFailure?
  /// Whether the server has sent its close frame. Nothing is read after it.
  private(set) var isClosed = false

  init(largestMessage: Int, mostFragments: Int = Self.mostFragments) {
    (self.largestMessage, self.mostFragments) = (largestMessage, mostFragments)
  }

  /// Reads the next bytes. Returns the items that they complete, in order.
  ///
  /// - Complexity: O(number of bytes).
  mutating func received(_ bytes: some Collection<UInt8>) -> [Item] {
    var items: [Item] = []
    var rest = Array(bytes)[...]
    while failure == nil, !isClosed, !rest.isEmpty || frame != nil {
      do throws(WebSocketFailure) {
        if frame == nil {
          guard try headerIsWhole(&rest) else { break }
        }
        guard let item = try payloadArrived(&rest) else {
          if rest.isEmpty { break }
          continue
        }
        items.append(item)
        if case .close = item { isClosed = true }
      } catch {
        failure = error
      }
    }
    return items
  }

  /// Takes bytes until the header is complete. Returns whether it is.
  private mutating func headerIsWhole(_ rest: inout ArraySlice<UInt8>) throws(WebSocketFailure) -> Bool {
    while let byte = rest.popFirst() {
      header.append(byte)
      guard let frame = try WebSocketFrame.read(header[...]) else { continue }
      header.removeAll(keepingCapacity: true)
      try begin(frame)
      return true
    }
    return false
  }

  private mutating func begin(_ frame: WebSocketFrame) throws(WebSocketFailure) {
    guard frame.mask == nil else { throw .protocolViolation("a frame of the server is masked") }
    self.frame = frame
    received = 0
    guard !frame.kind.isControl else {
      control = []
      return
    }
    if frame.kind == .continuation {
      guard message != nil else { throw .protocolViolation("a fragment continues no message") }
    } else {
      guard message == nil else { throw .protocolViolation("a message begins within another one") }
      message = Message(isText: frame.kind == .text)
    }
    message?.fragments += 1
    guard message?.fragments ?? 0 <= mostFragments else { throw .tooManyFragments(limit: mostFragments) }
    guard frame.size <= largestMessage - (message?.bytes.count ?? 0) else {
      throw .messageTooLarge(limit: largestMessage)
    }
  }

  /// Takes the received bytes of the payload. Returns the item that they complete, if any.
  private mutating func payloadArrived(_ rest: inout ArraySlice<UInt8>) throws(WebSocketFailure) -> Item? {
    guard let frame else { return nil }
    let part = rest.prefix(frame.size - received)
    rest = rest.dropFirst(part.count)
    received += part.count
    let isWhole = received == frame.size
    if isWhole { self.frame = nil }
    guard !frame.kind.isControl else {
      control += part
      return isWhole ? try control(frame.kind) : nil
    }
    // In place, since a copy of the message for each part would cost the square of its size.
    message?.bytes += part
    if message?.isText == true, message?.text.isValid(part) == false { throw .invalidText }
    guard isWhole, frame.isFinal, let message else { return nil }
    self.message = nil
    guard message.isText else { return .message(.binary(Data(message.bytes))) }
    guard message.text.isAtEnd else { throw .invalidText }
    return .message(.text(String(decoding: message.bytes, as: UTF8.self)))
  }

  private func control(_ kind: WebSocketFrame.Kind) throws(WebSocketFailure) -> Item {
    switch kind {
    case .ping: .ping(control)
    case .pong: .pong(control)
    default: .close(try WebSocketClose(payload: control[...]))
    }
  }
}
