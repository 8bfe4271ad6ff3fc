import Millrace
import TestSupport
import Testing

/// A server on the loopback interface that misbehaves in every way there is, a path each.
///
/// The path `/next` is answered by `next`, with a length and on a connection that is kept.
public final class HostileServer: Sendable {
  /// A request that has arrived.
  public struct Arrival: Sendable {
    /// The number of its connection, from 1.
    public let connection: Int
    public let method: String
    public let target: String
  }

  private let server: LoopbackServer
  private let state: Lock<State>

  private struct State {
    var connections = 0
    var arrivals: [Arrival] = []
    var answered = 0
  }

  /// Begins to listen.
  public init() throws {
    let behaviours = Dictionary(uniqueKeysWithValues: HostileBehaviour.all.map { ($0.name, $0) })
    let state = Lock(State())
    self.state = state
    server = try LoopbackServer { connection in
      let number = state.withLock { state in
        state.connections += 1
        return state.connections
      }
      while let head = connection.readHead() {
        let words = head.split(separator: " ")
        let target = words.count > 1 ? String(words[1]) : ""
        let path = target.prefix { $0 != "?" }.split(separator: "/").map(String.init)
        state.withLock {
          $0.arrivals.append(Arrival(connection: number, method: String(words[0]), target: target))
        }
        defer { state.withLock { $0.answered += 1 } }
        if path.first == "next" {
          connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext")
          continue
        }
        guard let name = path.first, let behaviour = behaviours[name] else {
          connection.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
          continue
        }
        behaviour.script(connection, path.count > 1 ? path[1] : "")
        connection.flush()
        guard behaviour.keepsConnection else {
          connection.close()
          return
        }
      }
    }
  }

  /// Every request so far, in the order of their arrival.
  public var arrivals: [Arrival] { state.withLock { $0.arrivals } }

  /// Returns when every request that has arrived is answered, and what was written is with the client.
  public func allAnswered(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await eventually(sourceLocation: sourceLocation) {
      state.withLock { $0.answered == $0.arrivals.count }
    }
  }

  /// Where the server behaves in this way.
  public func url(_ behaviour: HostileBehaviour) -> String { server.url("/\(behaviour.name)") }

  /// The scheme, the host and the port.
  public var origin: String { server.url("") }

  /// How many sockets of this process are a client's end of a connection to the server.
  public var clientSockets: Int { server.clientSockets }

  /// Returns when neither end of any connection is open.
  public func allClosed(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await server.allClosed(sourceLocation: sourceLocation)
  }

  /// Accepts no more, ends what is open, and returns when every connection is closed.
  public func stop() async { await server.stop() }
}
