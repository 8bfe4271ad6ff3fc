#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A stream socket on the loopback address, closed by whoever owns it.
///
/// Unsafe pointers are those of the socket interface: to local values, for the time of one call.
struct LoopbackSocket: Sendable {
  private let descriptor: Int32

  /// A socket that listens on a free port; `nil` if there is none.
  static func listening() -> LoopbackSocket? {
    #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { return nil }
    let socket = LoopbackSocket(descriptor: descriptor)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if bound == 0, listen(descriptor, 32) == 0 { return socket }
    socket.close()
    return nil
  }

  /// The port of the socket's own end; `nil` if it is closed.
  var port: UInt16? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return status == 0 ? UInt16(bigEndian: address.sin_port) : nil
  }

  /// Waits for the next connection; `nil` if the client has gone again.
  func next() -> LoopbackSocket? {
    let accepted = accept(descriptor, nil, nil)
    guard accepted >= 0 else { return nil }
    _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
    let socket = LoopbackSocket(descriptor: accepted)
    // A client that connects and says nothing must not hold a thread for ever.
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(accepted, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    #if canImport(Darwin)
    var isQuiet: Int32 = 1
    setsockopt(accepted, SOL_SOCKET, SO_NOSIGPIPE, &isQuiet, socklen_t(MemoryLayout<Int32>.size))
    #endif
    return socket
  }

  /// Reads up to the empty line that ends a request's head; `nil` if there is none within 16 KiB.
  func readHead() -> String? {
    var head: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while head.count < 16 << 10 {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { return nil }
      head += chunk.prefix(count)
      let text = String(decoding: head, as: UTF8.self)
      if text.utf8.suffix(4).elementsEqual("\r\n\r\n".utf8) { return text }
    }
    return nil
  }

  /// Sends all of the bytes, or as many as the client takes.
  func write(_ bytes: [UInt8]) {
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

  func close() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    #if canImport(Darwin)
    _ = Darwin.close(descriptor)
    #elseif canImport(Glibc)
    _ = Glibc.close(descriptor)
    #else
    _ = Musl.close(descriptor)
    #endif
  }
}
