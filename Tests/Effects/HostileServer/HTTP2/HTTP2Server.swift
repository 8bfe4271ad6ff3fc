import Millrace

/// A server on the loopback interface that speaks HTTP/2 without TLS, answers its first request, or all requests of its
/// first connection, in one hostile way and each later one with `next`.
public final class HTTP2Server: Sendable {
  private struct State {
    var connections = 0
    var requests: [Int] = []
  }

  private let server: LoopbackServer
  private let state: Lock<State>

  /// Begins to listen.
  ///
  /// - Parameter lasts: whether the behaviour is that of the whole first connection.
  public init(_ behaviour: HTTP2Behaviour, lasts: Bool = false) throws {
    let state = Lock(State())
    self.state = state
    server = try LoopbackServer { connection in
      let number = state.withLock { state in
        state.connections += 1
        return state.connections
      }
      guard connection.read(HTTP2.preface.count) == HTTP2.preface else { return }
      let http = HTTP2Connection(connection: connection)
      http.send(.settings)
      while let stream = http.nextRequest() {
        let isFirst = state.withLock { state in
          state.requests.append(number)
          return lasts ? number == 1 : state.requests.count == 1
        }
        guard isFirst else {
          http.answer(stream, "next")
          continue
        }
        behaviour.script(http, stream)
        connection.flush()
        if behaviour.closes {
          connection.close()
          return
        }
      }
    }
  }

  /// The number of the connection of each request, in the order of their arrival.
  public var requests: [Int] { state.withLock { $0.requests } }

  public var port: UInt16 { server.port }

  /// How many connections the server has open.
  public var openConnections: Int { server.openConnections }

  /// Accepts no more, ends what is open, and returns when every connection is closed.
  public func stop() async { await server.stop() }
}
