import Foundation
import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceHTTP
import MillraceTestStore
import MillraceTesting
import Testing

/// A line in both directions: events of the server come in, requests go out.
enum Chat {
  // ALongConnection
  struct Message: Hashable, Sendable {
    let number: Int
    let text: String
  }

  struct State: Equatable, Sendable {
    let address: String
    var isWanted = false
    var isOpen = false
    /// The number of the connection. Each connection that opens is another one.
    var line = 0
    var lastEventID = ""
    var received: [String] = []
    /// What the server has not confirmed, oldest first.
    var unconfirmed: [Message] = []
    /// How many of these were sent over this line.
    var sent = 0
    var lastNumber = 0
    var problem: String?
    /// What the stream is asked for with. It changes only if a connection is to be made anew.
    var stream: EventSourceRequest?
  }

  enum Action: Equatable, Sendable {
    case wanted(Bool)
    case wrote(String)
    case stream(EventSourceEvent)
    case post(HTTPEvent)
    case ping(HTTPEvent)
  }
}

// ALongConnection
extension Chat.State {
  var streams: Set<EventSourceRequest> { stream.map { [$0] } ?? [] }

  var posts: Set<HTTPRequest> {
    guard isOpen, sent < unconfirmed.count else { return [] }
    let message = unconfirmed[sent]
    return [
      HTTPRequest(
        "\(address)/messages/\(message.number)", method: "PUT", body: Data(message.text.utf8),
        timeout: .seconds(10), attempt: line)
    ]
  }

  var pings: Set<HTTPRequest> {
    isOpen ? [HTTPRequest("\(address)/ping", method: "POST", timeout: .seconds(10))] : []
  }

  mutating func connectAnew() {
    isOpen = false
    stream = EventSourceRequest(
      HTTPRequest("\(address)/events", attempt: line + 1), lastEventID: lastEventID,
      idleTimeout: .seconds(45))
  }
}

extension Chat {
  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    // ALongConnection
    case .wanted(true): state.connectAnew()
    case .wanted(false): (state.stream, state.isOpen) = (nil, false)
    case .wrote(let text):
      state.lastNumber += 1
      state.unconfirmed.append(Message(number: state.lastNumber, text: text))
    case .stream(.status(.open, of: _)):
      (state.isOpen, state.line, state.sent) = (true, state.line + 1, 0)
    case .stream(.status(.closed(let end), of: _)):
      (state.isOpen, state.stream, state.problem) = (false, nil, "\(end)")
    case .stream(.status): state.isOpen = false
    case .stream(.received(let event, from: _)):
      state.lastEventID = event.lastEventID
      if event.type == "confirmed", let number = Int(event.data) {
        state.confirmed(upTo: number)
      } else {
        state.received.append(event.data)
      }
    case .post(.response): state.sent += 1
    // ALongConnection
    case .ping(.response): break
    case .ping(.failed): state.connectAnew()
    case .post(.failed(let failure, of: _)) where failure.isTransient: state.connectAnew()
    case .post(.failed(let failure, of: _)):
      state.problem = "\(state.unconfirmed.remove(at: state.sent).text) was refused: \(failure)"
    }
  }
}

// ALongConnection
extension Chat.State {
  mutating func confirmed(upTo number: Int) {
    let count = unconfirmed.prefix { $0.number <= number }.count
    unconfirmed.removeFirst(count)
    sent = max(0, sent - count)
  }
}

extension Chat {
  // ALongConnection
  static func connect(to store: Store<State, Action>, client: HTTPClient) {
    store.connect(
      EventSourceEffect(client: client), to: \.streams, action: Action.stream, longRunning: true)
    store.connect(HTTPEffect(client: client), to: \.posts, action: Action.post)
  }

  static func connectPings<C: Clock>(
    to store: Store<State, Action>, client: HTTPClient, clock: C
  ) where C.Duration == Duration {
    // ALongConnection
    store.connect(
      HTTPEffect(client: client).polled(every: .seconds(30), clock: clock), to: \.pings,
      action: Action.ping, longRunning: true)
  }
}

@Suite struct ChatExamples {
  @Test("in every order, what is not confirmed stays, and is sent in its order")
  func explored() {
    let client = HTTPClient()
    let report = Explorer(
      initialState: Chat.State(address: "http://chat.test"),
      comparing: { state in
        [state.line, state.sent, state.lastNumber, state.unconfirmed.count, state.isOpen ? 1 : 0]
          + [state.stream?.request.attempt ?? 0]
      },
      reduce: Chat.reduce, connect: { Chat.connect(to: $0, client: client) }
    )
    .userActions { state in
      (state.stream == nil ? [.wanted(true)] : [])
        + (state.lastNumber < 2 ? [.wrote("\(state.lastNumber + 1)")] : [])
    }
    .outcomes(of: HTTPRequest.self, sending: HTTPEvent.self) { request in
      [.answers(.response(HTTPResponse(), to: request)), .answers(.failed(.timedOut, of: request))]
    }
    .outcomes(of: EventSourceRequest.self, sending: EventSourceEvent.self) { stream, run in
      // The server has at most the message that is on its way, and those before it.
      let known = run.state.unconfirmed.prefix(run.state.sent + 1).map(\.number)
      let confirmations = known.map { ServerSentEvent(type: "confirmed", data: "\($0)") }
      return run.state.isOpen
        ? confirmations.map { .sends(.received($0, from: stream)) }
          + [.sends(.status(.waiting(delay: .seconds(3), after: .timedOut), of: stream))]
        : [.sends(.status(.open, of: stream))]
    }
    .always("no more is sent than there is") { $0.sent <= $0.unconfirmed.count }
    .always("the messages from the first that is not confirmed are there") { state in
      state.unconfirmed.map(\.number)
        == Array((1...2).prefix(state.lastNumber).suffix(state.unconfirmed.count))
    }
    .alwaysReachable("all are confirmed") { $0.lastNumber == 2 && $0.unconfirmed.isEmpty }
    .allowing(.depth, .undecidedProperties)
    .explore(depth: 12)
    #expect(report.isClean && report.counts.states > 200, "\(report)")
  }
}
