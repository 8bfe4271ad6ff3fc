import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An answer of Redis.
indirect enum RespValue: Sendable {
  case text(String)
  case number(Int)
  case list([RespValue])
  case none

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var number: Int? { if case .number(let number) = self { number } else { nil } }
  var list: [RespValue] { if case .list(let list) = self { list } else { [] } }
}

/// A connection to a Redis server on this machine, made anew after a failure. Commands are sent one after the other.
final class RespConnection: Sendable {
  private let port: UInt16
  private let queue = DispatchQueue(label: "orders.redis")
  /// Used on the queue alone.
  private let link = Box<RespLink?>(nil)

  init(port: UInt16) { self.port = port }

  /// Sends a command, and returns its answer. After an error it is unknown whether the command was performed.
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

/// A value that one queue alone uses.
final class Box<Value>: @unchecked Sendable {  // its owner reaches it on one serial queue alone
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// An error that Redis has answered with.
struct RespError: Error, CustomStringConvertible { var description: String }

/// An open connection, which blocks its thread.
final class RespLink {
  private let descriptor: Int32
  private var unread = Data()

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
    var bytes = Data("*\(command.count)\r\n".utf8)
    for word in command { bytes += Data("$\(word.utf8.count)\r\n\(word)\r\n".utf8) }
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in  // read by the call alone
        systemSend(descriptor, buffer.baseAddress.map { $0 + sent }, bytes.count - sent)
      }
      guard count > 0 else { throw EngineFailure(description: "write to Redis: \(errno)") }
      sent += count
    }
    let answer = try value()
    if case .failure(let error) = answer { throw error }
    return try answer.get()
  }

  private func value() throws -> Result<RespValue, RespError> {
    let line = try line()
    let rest = String(line.dropFirst())
    switch line.first {
    case "+": return .success(.text(rest))
    case "-": return .failure(RespError(description: rest))
    case ":": return .success(Int(rest).map { .number($0) } ?? .none)
    case "$":
      guard let count = Int(rest), count >= 0 else { return .success(.none) }
      return .success(.text(String(decoding: try take(count + 2).dropLast(2), as: UTF8.self)))
    case "*":
      guard let count = Int(rest), count >= 0 else { return .success(.none) }
      // An error within an array is that of the whole.
      return .success(.list(try (0..<count).map { _ in try value().get() }))
    default: throw EngineFailure(description: "Redis says \(line)")
    }
  }

  private func line() throws -> String {
    while true {
      if let end = unread.range(of: Data("\r\n".utf8)) {
        let line = String(decoding: unread[..<end.lowerBound], as: UTF8.self)
        unread = Data(unread[end.upperBound...])
        return line
      }
      try receive()
    }
  }

  private func take(_ count: Int) throws -> Data {
    while unread.count < count { try receive() }
    defer { unread = Data(unread.dropFirst(count)) }
    return Data(unread.prefix(count))
  }

  private func receive() throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { throw EngineFailure(description: "Redis has closed the connection: \(errno)") }
    unread += buffer[..<count]
  }
}

/// Sends without a signal where the other end has closed the connection.
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  #if canImport(Darwin)
  Darwin.send(descriptor, bytes, count, 0)
  #elseif canImport(Glibc)
  Glibc.send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
  #else
  Musl.send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
  #endif
}
