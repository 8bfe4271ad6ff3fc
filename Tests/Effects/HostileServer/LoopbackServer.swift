import Foundation
import Millrace
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An HTTP server on the loopback interface, of which each connection follows a script.
///
/// A script is called in a thread of its own with each request's connection, and decides byte by byte what is
/// answered. The connection is closed when the script returns.
public final class LoopbackServer: Sendable {
  public let port: UInt16
  private let listener: Int32
  private let accepting = DispatchGroup()
  private let connections = DispatchGroup()
  private let open = Lock<Set<Int32>>([])
  private let isStopped = Lock(false)
  private let isClosed = Lock(false)
  /// The local ports of sockets that were connected to an earlier server on the same port.
  private let strangers: Set<UInt16>

  /// Listens, and has `script` follow each connection.
  public init(onIPv6: Bool = false, _ script: @escaping @Sendable (LoopbackConnection) -> Void) throws {
    (listener, port) = try onIPv6 ? Self.boundSocketOnIPv6() : Self.boundSocket()
    strangers = Set(Self.sockets(connectedTo: port).map(\.localPort))
    guard listen(listener, 64) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let (listener, accepting, connections, open) = (listener, accepting, connections, open)
    accepting.enter()
    Thread.detachNewThread { [isStopped] in
      while !isStopped.withLock({ $0 }) {
        let socket = accept(listener, nil, nil)
        // A client that has gone already, a signal, or no descriptor left for a while: not the end of the server.
        guard socket >= 0 else {
          sched_yield()
          continue
        }
        // At once: a process that a test starts meanwhile would keep the connection open.
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        connections.enter()
        open.withLock { _ = $0.insert(socket) }
        Thread.detachNewThread {
          let connection = LoopbackConnection(socket, open)
          script(connection)
          connection.close()
          connections.leave()
        }
      }
      accepting.leave()
    }
    StopsServers.servers?.withLock { $0.append(self) }
  }

  /// A socket on a port of its own, on which nobody listens yet.
  public static func boundSocket() throws -> (socket: Int32, port: UInt16) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return try bind(&address, AF_INET, \.sin_port)
  }

  private static func boundSocketOnIPv6() throws -> (socket: Int32, port: UInt16) {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    return try bind(&address, AF_INET6, \.sin6_port)
  }

  private static func bind<Address>(
    _ address: inout Address, _ family: Int32, _ port: KeyPath<Address, in_port_t>
  ) throws -> (socket: Int32, port: UInt16) {
    #if canImport(Darwin)
    let bound = Darwin.socket(family, SOCK_STREAM, 0)
    let bind = Darwin.bind
    #else
    let bound = Glibc.socket(family, Int32(SOCK_STREAM.rawValue), 0)
    let bind = Glibc.bind
    #endif
    _ = fcntl(bound, F_SETFD, FD_CLOEXEC)
    var length = socklen_t(MemoryLayout<Address>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
        bind(bound, general, length) == 0 && getsockname(bound, general, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return (bound, UInt16(bigEndian: address[keyPath: port]))
  }

  /// A server that answers each request with `answer(head)`.
  public convenience init(answering answer: @escaping @Sendable (String) -> String) throws {
    try self.init { connection in
      guard let head = connection.readHead() else { return }
      connection.write(answer(head))
    }
  }

  public func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Accepts no more: from now on nobody can connect. For a script, since it blocks until the last accept has returned.
  public func refuseConnections() {
    stopAccepting()
    accepting.wait()
  }

  private func stopAccepting() {
    let wasStopped = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return isStopped
    }
    guard !wasStopped else { return }
    #if canImport(Darwin)
    // Darwin does not shut down a listening socket. Closing it ends an accept in progress.
    close(listener)
    #else
    _ = shutdown(listener, Int32(SHUT_RDWR))
    #endif
  }

  /// Accepts no more, ends what is open, and returns when every script has returned.
  public func stop() async {
    stopAccepting()
    await ended(accepting)
    open.withLock { for socket in $0 { _ = shutdown(socket, Int32(SHUT_RDWR)) } }
    await connectionsEnded()
    #if !canImport(Darwin)
    // Once: the descriptor is another's then.
    let wasClosed = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return isClosed
    }
    if !wasClosed { close(listener) }
    #endif
  }

  /// How many connections the server has open.
  public var openConnections: Int { open.withLock { $0.count } }

  /// How many sockets of this process are a client's end of a connection to the server.
  public var clientSockets: Int { clients.count }

  private var clients: [(descriptor: Int32, localPort: UInt16)] {
    Self.sockets(connectedTo: port).filter { !strangers.contains($0.localPort) }
  }

  private static func sockets(connectedTo port: UInt16) -> [(descriptor: Int32, localPort: UInt16)] {
    (0..<Int32(4_096)).compactMap { descriptor in
      guard Self.port(of: descriptor, getpeername) == port else { return nil }
      return (descriptor, Self.port(of: descriptor, getsockname) ?? 0)
    }
  }

  static func port(
    of descriptor: Int32,
    _ name: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
  ) -> UInt16? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(descriptor, $0, &length) == 0 }
    }
    guard isKnown, address.sin_family == sa_family_t(AF_INET) else { return nil }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Returns when neither end of any connection is open.
  public func allClosed(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    await connectionsEnded()
    do {
      try await eventually(sourceLocation: sourceLocation) { clientSockets == 0 }
    } catch {
      for (descriptor, localPort) in clients {
        var byte: UInt8 = 0
        let arrived = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        let number = errno
        Issue.record(
          "descriptor \(descriptor), from port \(localPort) to \(port), is open: recv gives \(arrived), errno \(number)",
          sourceLocation: sourceLocation)
      }
      throw error
    }
  }

  /// Returns when the script of every connection so far has returned.
  public func connectionsEnded() async { await ended(connections) }

  private func ended(_ group: DispatchGroup) async {
    await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
  }
}
