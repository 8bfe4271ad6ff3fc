import Foundation
import Millrace

@testable import MillraceEffects

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An HTTP server on the loopback interface, of which each connection follows a script.
///
/// A script is called in a thread of its own with each request's connection, and decides byte by byte what is
/// answered. The connection is closed when the script returns.
final class LoopbackServer: Sendable {
  let port: UInt16
  private let listener: Int32
  private let accepting = DispatchGroup()
  private let connections = DispatchGroup()
  private let open = Lock<Set<Int32>>([])

  init(_ script: @escaping @Sendable (LoopbackConnection) -> Void) throws {
    (listener, port) = try Self.boundSocket()
    guard listen(listener, 64) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let (listener, accepting, connections, open) = (listener, accepting, connections, open)
    accepting.enter()
    Thread.detachNewThread {
      while case let socket = accept(listener, nil, nil), socket >= 0 {
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
  }

  /// A socket on a port of its own, on which nobody listens yet.
  static func boundSocket() throws -> (socket: Int32, port: UInt16) {
    #if canImport(Darwin)
    let bound = socket(AF_INET, SOCK_STREAM, 0)
    #else
    let bound = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    _ = fcntl(bound, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
        bind(bound, general, length) == 0 && getsockname(bound, general, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return (bound, UInt16(bigEndian: address.sin_port))
  }

  /// A server that answers each request with `answer(head)`.
  convenience init(answering answer: @escaping @Sendable (String) -> String) throws {
    try self.init { connection in
      guard let head = connection.readHead() else { return }
      connection.write(answer(head))
    }
  }

  func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Accepts no more, ends what is open, and returns when every script has returned.
  func stop() async {
    _ = shutdown(listener, Int32(SHUT_RDWR))
    await ended(accepting)
    open.withLock { for socket in $0 { _ = shutdown(socket, Int32(SHUT_RDWR)) } }
    await connectionsEnded()
    close(listener)
  }

  /// How many connections the server has open.
  var openConnections: Int { open.withLock { $0.count } }

  /// How many sockets of this process are a client's end of a connection to the server.
  var clientSockets: Int {
    (0..<Int32(4_096)).count { descriptor in
      var peer = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isConnected = withUnsafeMutablePointer(to: &peer) { peer in
        peer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) == 0 }
      }
      return isConnected && peer.sin_family == sa_family_t(AF_INET)
        && UInt16(bigEndian: peer.sin_port) == port
    }
  }

  /// Returns when neither end of any connection is open.
  func allClosed() async {
    await connectionsEnded()
    while clientSockets > 0 { await Task.yield() }
  }

  /// Returns when the script of every connection so far has returned.
  func connectionsEnded() async { await ended(connections) }

  private func ended(_ group: DispatchGroup) async {
    await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
  }
}

/// One connection of a ``LoopbackServer``, used by the thread of its script alone.
final class LoopbackConnection {
  private let socket: Int32
  private let open: Lock<Set<Int32>>
  private var isOpen = true

  init(_ socket: Int32, _ open: Lock<Set<Int32>>) {
    self.socket = socket
    self.open = open
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
  }

  /// The request's head, up to the empty line; `nil` if the client closed before.
  func readHead() -> String? {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
      guard receive(&byte) else { return nil }
      head.append(byte)
    }
    return String(decoding: head, as: UTF8.self)
  }

  /// The next `count` bytes, or what came before the client closed.
  func read(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < count, receive(&byte) { bytes.append(byte) }
    return bytes
  }

  /// Returns when the client has closed its side.
  func waitForClose() {
    var byte: UInt8 = 0
    while receive(&byte) {}
  }

  private func receive(_ byte: inout UInt8) -> Bool { recv(socket, &byte, 1, 0) == 1 }

  /// Writes; returns whether the client still took it.
  @discardableResult
  func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      #if canImport(Darwin)
      let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, 0) }
      #else
      let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      #endif
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    open.withLock { open in
      open.remove(socket)
      #if canImport(Darwin)
      _ = Darwin.close(socket)
      #else
      _ = Glibc.close(socket)
      #endif
    }
  }

  /// Closes with a reset instead of an orderly end.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    close()
  }
}
