import Millrace
import MillraceEffects
import MillraceSpelling

/// A WebSocket that the state asks for, with the messages to send over it.
///
/// ```swift
/// var orders = WebSocketRequest("wss://example.org/orders", subprotocols: ["orders.1"])
/// orders.headers["authorization"] = "Bearer 1f0a"
/// orders.outgoing = [order]
/// ```
///
/// All properties except ``outgoing`` identify the connection: a request that differs in one of them is another one. A
/// request that differs only in ``outgoing`` is handed over to the open connection, which sends the messages that it
/// has not sent yet.
///
/// Keep a message in ``outgoing`` until the server has acknowledged it in the program's own protocol. A new connection
/// sends the remaining messages again, so that none is lost. The server recognises a message that it has already
/// received by a number in it. Keep the list short: each change costs its length.
public struct WebSocketRequest: Hashable, Sendable {
  /// An absolute `ws` or `wss` address. A name and a password in it are sent as an `Authorization` field, unless
  /// `headers` has one.
  public var url: String {
    get { exactURL.text }
    set { exactURL = ByteEqual(newValue) }
  }
  /// Further header fields of the handshake, such as `authorization` or `origin`. The fields of the handshake itself,
  /// `content-length` and `transfer-encoding` are refused.
  public var headers: HTTPHeaders
  /// The subprotocols that are offered to the server, the preferred one first.
  public var subprotocols: [String]
  /// The messages to send, in order. A message is sent once over each connection while it is in this list. A message
  /// that is removed before it was sent is not sent.
  public var outgoing: [WebSocketOutgoing]
  /// The delays before connecting again. Without a seed, jitter differs between requests. The effect never connects
  /// earlier than a `Retry-After` of the server allows.
  public var backoff: Backoff
  /// The longest time for connecting and the handshake together; `nil` for any time.
  public var timeout: Duration?
  /// The time for which the server may send nothing before the connection is given up; `nil` for any time. After half
  /// of it a ping is sent, which a server answers. A silent connection is given up at most half of this time late.
  public var idleTimeout: Duration?
  /// The longest time of the closing, until the server has agreed. After it, the connection is cut.
  public var closingTime: Duration
  /// The largest accepted message, in bytes.
  public var largestMessage: Int
  /// The largest frame to send, in bytes of its payload. A larger message is sent in fragments.
  public var largestFrame: Int
  /// The number of the attempt, from 1. It is not sent. A request after a permanent end differs from the last one by
  /// it.
  public var attempt: Int

  private var exactURL: ByteEqual

  /// Makes a request. By default it connects in at most 30 seconds, and gives up a server that is silent for a minute.
  /// It connects again after about 1 second at first and about 60 at most. It closes in at most 2 seconds, and accepts
  /// messages of at most 16 MiB.
  public init(
    _ url: String, headers: HTTPHeaders = [:], subprotocols: [String] = [],
    outgoing: [WebSocketOutgoing] = [],
    backoff: Backoff = Backoff(first: .seconds(1), cap: .seconds(60), jitter: 0.3),
    timeout: Duration? = .seconds(30), idleTimeout: Duration? = .seconds(60),
    closingTime: Duration = .seconds(2), largestMessage: Int = 16 << 20, largestFrame: Int = 64 << 10,
    attempt: Int = 1
  ) {
    exactURL = ByteEqual(url)
    self.headers = headers
    self.subprotocols = subprotocols
    self.outgoing = outgoing
    self.backoff = backoff
    self.timeout = timeout
    self.idleTimeout = idleTimeout
    self.closingTime = closingTime
    self.largestMessage = largestMessage
    self.largestFrame = largestFrame
    self.attempt = attempt
  }

  /// The request without its messages. It identifies the connection, and every ``WebSocketEvent`` contains it.
  public var withoutOutgoing: WebSocketRequest {
    var request = self
    request.outgoing = []
    return request
  }

  /// Hashes only what costs little: the address, the attempt, and the number of messages.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(exactURL)
    hasher.combine(attempt)
    hasher.combine(outgoing.count)
    hasher.combine(outgoing.last?.number)
  }
}

extension WebSocketRequest: CustomStringConvertible, CustomReflectable {
  /// The address without secrets, the number of messages, and the attempt if it is not the first.
  public var description: String {
    let messages = outgoing.isEmpty ? "" : " with \(outgoing.count) to send"
    return "\(shownURL)\(messages)\(attempt == 1 ? "" : " (attempt \(attempt))")"
  }

  /// A mirror that shows the request without secrets, and only the numbers of the messages.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "url": shownURL, "headers": headers, "subprotocols": subprotocols,
        "outgoing": outgoing.map(\.number), "backoff": backoff, "timeout": timeout as Any,
        "idleTimeout": idleTimeout as Any, "closingTime": closingTime, "largestMessage": largestMessage,
        "largestFrame": largestFrame, "attempt": attempt,
      ], displayStyle: .struct)
  }

  private var shownURL: String {
    Spelling.visible(WebSocketHandshake.shown(url, hiding: headers.secretNames))
  }
}
