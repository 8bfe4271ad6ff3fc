import Millrace
import MillraceEffects

/// One connection of a run from its beginning to its end. Performs the decisions of the session.
struct WebSocketConnection {
  private var session: WebSocketSession
  private let request: WebSocketRequest
  private let channel: WebSocketChannel
  private let newest: NewestRequest
  private let clock: any Clock<Duration>
  private let send: Send<WebSocketEvent>

  /// Begins to connect.
  ///
  /// - Throws: the part of the request that cannot be sent.
  init(
    _ newest: NewestRequest, by open: (HTTPAddress) -> WebSocketChannel, clock: any Clock<Duration>,
    send: Send<WebSocketEvent>
  ) throws(WebSocketFailure) {
    let request = newest.value
    session = try WebSocketSession(request)
    channel = open(session.address)
    newest.continues(over: channel)
    (self.newest, self.clock, self.send) = (newest, clock, send)
    self.request = request.withoutOutgoing
  }

  /// Exchanges messages until the connection ends. Returns how it ended, `nil` if the run was stopped, and whether the
  /// server has sent anything.
  mutating func run() async -> (end: WebSocketEnd?, wasUsed: Bool) {
    defer { channel.abandon() }
    let channel = channel
    let patience = WebSocketTimer(clock, after: request.timeout) { channel.tell(.timedOut) }
    while !session.isOpen, !session.isClosing { await step(afterWaitFor: "the server's agreement") }
    await patience.end()
    let half = request.idleTimeout.map { max($0 / 2, .milliseconds(1)) }
    let ticks = WebSocketTimer(clock, after: half, repeats: true, for: "a message of the server") {
      channel.tell(.ticked)
    }
    while session.isOpen { await step(afterWaitFor: session.isWriting ? "what is sent to be written" : nil) }
    await ticks.end()
    guard !session.isOver else { return (session.end, session.wasUsed) }
    let closing = WebSocketTimer(clock, after: request.closingTime) { channel.abandon() }
    while !session.isOver { await step(afterWaitFor: "the server to close") }
    await closing.end()
    return (session.end, session.wasUsed)
  }

  /// Waits for news, and performs what follows from it.
  ///
  /// - Parameter reason: the message that the server owes; `nil` if it may be silent for ever. In that case only other
  ///   tasks of the run give reasons for their waits.
  private mutating func step(afterWaitFor reason: String?) async {
    let news: WebSocketChannel.News
    if let reason {
      let channel = channel
      news = await withWaitReason(reason) { await channel.next() }
    } else {
      news = await channel.next()
    }
    if news.signals.contains(.connected) { await perform(session.connected()) }
    if let total = news.written { await perform(session.wrote(total)) }
    if !news.bytes.isEmpty { await perform(session.received(news.bytes)) }
    if news.signals.contains(.changed) { await perform(session.changed(newest.value.outgoing)) }
    if news.signals.contains(.ticked) { await perform(session.ticked()) }
    if news.signals.contains(.timedOut) { session.timedOut() }
    if news.signals.contains(.stopped) { await perform(session.stopped()) }
    switch news.end {
    case .success: session.ended(nil)
    case .failure(let failure): session.ended(failure)
    case nil: break
    }
  }

  /// Performs steps. Bytes are written even if an event is refused, since the session relies on that.
  private mutating func perform(_ steps: [WebSocketSession.Step]) async {
    var isWanted = true
    for step in steps {
      let event: WebSocketEvent
      switch step {
      case .write(let bytes):
        // After a refused event, only the bytes of the closing handshake are written.
        if isWanted || !session.isOpen { channel.write(bytes) }
        continue
      case .opened(let subprotocol): event = .status(.open(subprotocol: subprotocol), of: request)
      case .received(let message): event = .received(message, from: request)
      case .sent(let number): event = .sent(number, over: request)
      }
      if isWanted { isWanted = await send(event) == .reduced }
    }
    if !isWanted {
      for case .write(let bytes) in session.stopped() { channel.write(bytes) }
    }
  }
}
