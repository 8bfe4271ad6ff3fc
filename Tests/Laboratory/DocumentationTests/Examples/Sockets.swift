import Millrace
import MillraceHTTP
import Testing

@Suite struct SocketExamples {
  // WebSocketEffect
  struct Shop: Equatable, Sendable {
    var isOpen = false
    var isLive = false
    var lastNumber = 0
    var unacknowledged: [WebSocketOutgoing] = []
    var sockets: Set<WebSocketRequest> {
      isOpen ? [WebSocketRequest("wss://example.org/orders", outgoing: unacknowledged)] : []
    }
  }

  enum ShopAction: Sendable {
    case opened(Bool)
    case ordered(String)
    case socket(WebSocketEvent)
  }

  static func reduce(_ state: inout Shop, _ action: ShopAction) {
    switch action {
    case .opened(let isOpen): state.isOpen = isOpen
    // WebSocketEffect
    case .ordered(let item):
      state.lastNumber += 1
      let text = "\(state.lastNumber) \(item)"
      state.unacknowledged.append(WebSocketOutgoing(state.lastNumber, .text(text)))
    case .socket(.received(.text(let text), from: _)):
      guard let acknowledged = Int(text) else { break }
      state.unacknowledged.removeAll { $0.number <= acknowledged }
    case .socket(.status(let status, of: _)): state.isLive = status.isOpen
    case .socket: break
    }
  }

  @Test("the socket is asked for while the shop is open, with the orders that are not acknowledged")
  func orders() async throws {
    let store = Store(initialState: Shop(), on: .immediate, reduce: Self.reduce)
    // WebSocketEffect
    store.connect(WebSocketEffect(), to: \.sockets, action: ShopAction.socket, longRunning: true)
    store.dispatch(.ordered("tea"))
    store.dispatch(.ordered("rice"))
    #expect(store.state.sockets.isEmpty)
    var state = store.state
    await store.shutdown()
    Self.reduce(&state, .opened(true))
    let socket = try #require(state.sockets.first)
    #expect(socket.outgoing.map(\.message) == [.text("1 tea"), .text("2 rice")])
    Self.reduce(&state, .socket(.status(.open(subprotocol: nil), of: socket.withoutOutgoing)))
    Self.reduce(&state, .socket(.received(.text("1"), from: socket.withoutOutgoing)))
    #expect(state.isLive && state.unacknowledged.map(\.number) == [2])
    #expect(WebSocketEffect().id(of: socket) == socket.withoutOutgoing)
  }

  @Test("requests are plain data")
  func requests() {
    // WebSocketOutgoing
    let order = WebSocketOutgoing(7, .text("buy 12"))
    // WebSocketRequest
    var orders = WebSocketRequest("wss://example.org/orders", subprotocols: ["orders.1"])
    orders.headers["authorization"] = "Bearer 1f0a"
    orders.outgoing = [order]
    #expect("\(orders)" == "wss://example.org/orders with 1 to send")
  }
}
