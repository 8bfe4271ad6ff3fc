import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(WASILibc)
import WASILibc
#endif

/// A connection to a Redis server on this machine, remade after a failure. Commands are sent one after the other.
final class RespConnection: Sendable {
  private let port: UInt16
  private let queue = DispatchQueue(label: "orders.redis")
  /// Used only on the queue.
  private let link = Box<RespLink?>(nil)

  init(port: UInt16) { self.port = port }

  /// Sends a command, and returns its answer. After an error, it is unknown whether the command was performed.
  func send(_ command: [String]) async throws -> RespValue {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        continuation.resume(
          with: Result {
            let open = try link.value ?? RespLink(port: port)
            link.value = open
            do { return try open.send(command) } catch let error as RespError { throw error } catch {
              link.value = nil
              throw error
            }
          })
      }
    }
  }
}

/// A value that only one queue uses.
final class Box<Value>: @unchecked Sendable {  // its owner reaches it on one serial queue alone
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// An open connection. Its calls block the thread.
final class RespLink {
  private let descriptor: Int32
  private var reader = RespReader()

  init(port: UInt16) throws {
    #if canImport(Glibc)
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {  // read by the call alone
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw EngineFailure(description: "connect to Redis: \(errno)") }
    var time = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    var isOn: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(descriptor) }

  func send(_ command: [String]) throws -> RespValue {
    let bytes = RespReader.command(command)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in  // read by the call alone
        systemSend(descriptor, buffer.baseAddress.map { $0 + sent }, bytes.count - sent)
      }
      guard count > 0 else { throw EngineFailure(description: "write to Redis: \(errno)") }
      sent += count
    }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if let answer = try reader.next() { return try answer.get() }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { throw EngineFailure(description: "Redis has closed the connection: \(errno)") }
      reader.received(buffer[..<count])
    }
  }
}

/// Sends without raising a signal if the other end has closed the connection.
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  #if canImport(Darwin)
  send(descriptor, bytes, count, 0)
  #else
  send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
  #endif
}
