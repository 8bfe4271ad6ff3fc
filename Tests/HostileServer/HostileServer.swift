/// A server on the loopback interface that misbehaves in every way there is, a path each.
public final class HostileServer: Sendable {
  private let server: LoopbackServer

  /// Begins to listen.
  public init() throws {
    let behaviours = Dictionary(uniqueKeysWithValues: HostileBehaviour.all.map { ($0.name, $0) })
    server = try LoopbackServer { connection in
      while let head = connection.readHead() {
        let target = head.split(separator: " ").dropFirst().first ?? ""
        let path = target.prefix { $0 != "?" }.split(separator: "/").map(String.init)
        guard let name = path.first, let behaviour = behaviours[name] else {
          connection.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
          continue
        }
        behaviour.script(connection, path.count > 1 ? path[1] : "")
        guard behaviour.keepsConnection else { return }
      }
    }
  }

  /// Where the server behaves in this way.
  public func url(_ behaviour: HostileBehaviour) -> String { server.url("/\(behaviour.name)") }

  /// The scheme, the host and the port.
  public var origin: String { server.url("") }

  /// How many sockets of this process are a client's end of a connection to the server.
  public var clientSockets: Int { server.clientSockets }

  /// Returns when neither end of any connection is open.
  public func allClosed() async { await server.allClosed() }

  /// Accepts no more, ends what is open, and returns when every connection is closed.
  public func stop() async { await server.stop() }
}
