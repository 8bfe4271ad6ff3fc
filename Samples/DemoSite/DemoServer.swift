import Foundation
import MillraceSockets

/// An HTTP/1.1 server on the loopback address that serves a ``DemoSite``.
///
/// Every connection has a thread of its own and serves one request. Everything here is callable from any
/// thread.
///
/// ```swift
/// let server = try DemoServer()
/// print(server.origin, server.requestCounts)
/// server.stop()
/// ```
public final class DemoServer: Sendable {
  /// The port that the server listens on.
  public let port: UInt16
  /// The site that it serves.
  public let site: DemoSite
  private let delayInMilliseconds: Int
  private let log = RequestLog()

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - port: the port to listen on; 0 takes a free one.
  ///   - neighbour: the origin under which the site's neighbour is linked to; by default this server under the name
  ///     `localhost`.
  ///   - delayInMilliseconds: the delay of every answer.
  /// - Throws: ``SocketError`` if the port is not available.
  public init(port: UInt16 = 0, neighbour: String? = nil, delayInMilliseconds: Int = 0) throws(SocketError) {
    let listener = try LoopbackSocket.listening(onLoopbackPort: port)
    self.port = try listener.port()
    site = DemoSite(neighbour: neighbour ?? "http://localhost:\(self.port)")
    self.delayInMilliseconds = delayInMilliseconds
    let thread = Thread { [self] in accept(on: listener) }
    thread.name = "demo-server"
    thread.start()
  }

  /// The address of the site, such as `http://127.0.0.1:8080`.
  public var origin: String { "http://127.0.0.1:\(port)" }

  /// The number of requests for each path with its query. A request counts when its head has been read.
  public var requestCounts: [String: Int] { log.counts }

  /// Holds answers for `path` back from now on, until ``release(_:)``. For a test that has to stop a client midway.
  public func hold(_ path: String) { log.hold(path) }

  /// Sends the answers for `path` that were held back.
  public func release(_ path: String) { log.release(path) }

  /// Accepts no more connections. Answers in progress are still sent.
  public func stop() {
    guard log.stop() else { return }
    // The accepting thread is blocked in `accept`; a last connection wakes it on every platform.
    if let last = try? LoopbackSocket.connected(toLoopbackPort: port) { last.close() }
  }

  private func accept(on listener: LoopbackSocket) {
    defer { listener.close() }
    while !log.isStopped {
      guard let connection = listener.accept() else { continue }
      if log.isStopped { return connection.close() }
      let thread = Thread { [self] in
        serve(connection)
        connection.close()
      }
      thread.stackSize = 1 << 19
      thread.start()
    }
  }

  private func serve(_ connection: LoopbackSocket) {
    guard let head = connection.readHead().flatMap({ RequestHead($0) }) else { return }
    let count = log.requestArrived(head.target)
    let response = ResponseBytes(site.responses[head.path], method: head.method, count: count)
    let delay = delayInMilliseconds + response.delayInMilliseconds
    if delay > 0 { Thread.sleep(forTimeInterval: Double(delay) / 1000) }
    log.waitUntilReleased(head.path)
    connection.write(response.bytes)
  }
}
