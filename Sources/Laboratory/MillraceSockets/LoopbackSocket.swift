import Foundation

// The functions of the C library, which the methods of the same names below would hide.
private let (systemAccept, systemClose) = (accept, close)

/// A call to the socket interface that failed.
public struct SocketError: Error, CustomStringConvertible {
  /// The name of the call and the system's message: `bind: Address already in use`.
  public let description: String

  init(_ call: String) { description = "\(call): \(String(cString: strerror(errno)))" }
}

/// A stream socket on the loopback address. Its owner closes it.
///
/// Unsafe pointers are those of the socket interface, to local values, and last for one call. A `sockaddr_in` is bound
/// to `sockaddr` for the call: both have the same size and layout at the beginning, as the interface asks of every kind
/// of address.
package struct LoopbackSocket: Sendable {
  private let descriptor: Int32

  package static func listening(onLoopbackPort port: UInt16) throws(SocketError) -> LoopbackSocket {
    let socket = try LoopbackSocket()
    socket.set(SO_REUSEADDR, to: Int32(1))
    let bound = withAddress(port: port) { bind(socket.descriptor, $0, $1) }
    guard bound == 0 else { throw socket.failed("bind") }
    guard listen(socket.descriptor, 128) == 0 else { throw socket.failed("listen") }
    return socket
  }

  package static func connected(toLoopbackPort port: UInt16) throws(SocketError) -> LoopbackSocket {
    let socket = try LoopbackSocket()
    let status = withAddress(port: port) { connect(socket.descriptor, $0, $1) }
    guard status == 0 else { throw socket.failed("connect") }
    return socket
  }

  private init() throws(SocketError) {
    #if canImport(Glibc)
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
    descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw SocketError("socket") }
  }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  /// The local port of the socket.
  package func port() throws(SocketError) -> UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard status == 0 else { throw SocketError("getsockname") }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Waits for the next connection. `nil` if the client has disconnected, a signal arrived, or the process can open no
  /// more files. Returns after a short pause in the last case, since the connection stays in the queue.
  ///
  /// - Parameter patience: the number of seconds that its reads and writes wait. A client that sends nothing, or does
  ///   not read, must not hold a thread for ever. A client that is only slow must not be dropped.
  package func accept(patience: Int = 600) -> LoopbackSocket? {
    let accepted = systemAccept(descriptor, nil, nil)
    guard accepted >= 0 else {
      if errno != ECONNABORTED, errno != EINTR { usleep(50_000) }
      return nil
    }
    _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
    let socket = LoopbackSocket(descriptor: accepted)
    socket.set(SO_RCVTIMEO, to: timeval(tv_sec: patience, tv_usec: 0))
    socket.set(SO_SNDTIMEO, to: timeval(tv_sec: patience, tv_usec: 0))
    #if canImport(Darwin)
    socket.set(SO_NOSIGPIPE, to: Int32(1))
    #endif
    return socket
  }

  /// Reads up to the empty line that ends a request's head. `nil` if the head is longer than 16 KiB, or does not end in
  /// time.
  package func readHead(within time: Duration = .seconds(600)) -> String? {
    let end = ContinuousClock.now + time
    var head: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while head.count < 16 << 10, .now < end {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { return nil }
      head += chunk.prefix(count)
      // The end may lie across two chunks.
      if head.suffix(count + 3).contains("\r\n\r\n".utf8) { return String(decoding: head, as: UTF8.self) }
    }
    return nil
  }

  /// Sends all of the bytes, or as many as the client accepts.
  package func write(_ bytes: [UInt8]) {
    #if canImport(Darwin)
    let flags: Int32 = 0
    #else
    let flags = Int32(MSG_NOSIGNAL)
    #endif
    bytes.withUnsafeBytes { buffer in
      var sent = 0
      while sent < buffer.count {
        let count = send(descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, flags)
        guard count > 0 else { return }
        sent += count
      }
    }
  }

  package func close() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    _ = systemClose(descriptor)
  }

  private func set<Value: BitwiseCopyable>(_ option: Int32, to value: Value) {
    var value = value
    setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Value>.size))
  }

  private func failed(_ call: String) -> SocketError {
    let error = SocketError(call)
    close()
    return error
  }

  private static func withAddress(port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32)
    -> Int32
  {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
