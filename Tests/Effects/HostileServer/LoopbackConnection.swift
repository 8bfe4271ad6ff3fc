import Foundation
import Millrace
import TestSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// One connection of a ``LoopbackServer``, used by the thread of its script alone.
public final class LoopbackConnection {
  let descriptor: Int32
  private let open: Lock<Set<Int32>>
  private var isOpen = true

  init(_ socket: Int32, _ open: Lock<Set<Int32>>) {
    descriptor = socket
    self.open = open
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    #if canImport(Darwin)
    // `send` has no flag for this on Darwin.
    var isOn: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  /// The request's head, up to the empty line; `nil` if the client closed before.
  public func readHead() -> String? {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
      let byte = readSome(1)
      if byte.isEmpty { return nil }
      head += byte
    }
    return String(decoding: head, as: UTF8.self)
  }

  /// The next `count` bytes, or what came before the client closed.
  public func read(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let some = readSome(min(count - bytes.count, 64 << 10))
      if some.isEmpty { break }
      bytes += some
    }
    return bytes
  }

  /// What the client has sent, at least one byte and at most `limit`; empty at the end, and once this connection is
  /// closed: its descriptor may be another connection's then.
  public func readSome(_ limit: Int = 64 << 10) -> [UInt8] {
    guard isOpen else { return [] }
    return [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      repeat { count = recv(descriptor, buffer.baseAddress, limit, 0) } while count < 0 && errno == EINTR
      count = max(0, count)
    }
  }

  /// Returns when the client has closed its side.
  public func waitForClose() {
    while !readSome().isEmpty {}
  }

  /// Writes text. Returns whether the client still took it.
  @discardableResult
  public func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Writes bytes. Returns whether the client still took them.
  @discardableResult
  public func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    guard isOpen else { return false }
    while !rest.isEmpty {
      #if canImport(Darwin)
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
      #else
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      #endif
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Returns when the client's system has everything that was written, or the connection has ended.
  public func flush() {
    #if canImport(Darwin)
    return  // the loopback interface delivers at once
    #else
    let unsentCount = UInt(0x5411)  // SIOCOUTQ
    var unsent: Int32 = 0
    while isOpen, ioctl(descriptor, unsentCount, &unsent) == 0, unsent > 0, !isEnding(milliseconds: 0) {
      sched_yield()
    }
    #endif
  }

  /// Returns when the client has read everything that was written, or it sends something or goes.
  func isTaken() {
    flush()
    #if canImport(Darwin)
    _ = isEnding(milliseconds: 20)  // the system does not say what a client has read
    #else
    while clientHasUnread, !isEnding(milliseconds: 1) {}
    #endif
  }

  /// Returns when the client has read everything that was written, or goes. What it sends meanwhile does not matter.
  public func isRead() {
    flush()
    #if canImport(Darwin)
    _ = isEnding(milliseconds: 20)
    #else
    while clientHasUnread { poll(nil, 0, 5) }  // looking costs a millisecond of a processor
    #endif
  }

  #if !canImport(Darwin)
  /// Whether the client's system holds bytes of this connection that the client has not read.
  private var clientHasUnread: Bool {
    // The client's end is the line with these two addresses; its fifth field ends with the number of unread bytes.
    guard isOpen, let client = port(getpeername), let server = port(getsockname) else { return false }
    return systemFile("/proc/self/net/tcp").split(separator: "\n").contains { line in
      let fields = line.split(separator: " ")
      return fields.count > 4 && fields[1].hasSuffix(client) && fields[2].hasSuffix(server)
        && !fields[4].hasSuffix(":00000000")
    }
  }

  /// The port at one end, as the system writes it in its tables.
  private func port(
    _ name: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
  ) -> String? {
    LoopbackServer.port(of: descriptor, name).map {
      let digits = String($0, radix: 16, uppercase: true)
      return ":" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
  #endif

  /// Whether the client takes nothing for so long.
  public func isBlocked(milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&waiting, 1, milliseconds) == 0
  }

  /// Waits for so long, or until the client sends something or goes. Returns whether it has.
  public func waitsForInput(milliseconds: Int32) -> Bool { isEnding(milliseconds: milliseconds) }

  /// Waits for so long, or until the client goes. Returns whether it has.
  func isEnding(milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, milliseconds) != 0
  }

  /// Ends the connection in good order, whatever its client still sends.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    open.withLock { open in
      open.remove(descriptor)
      #if canImport(Darwin)
      _ = Darwin.close(descriptor)
      #else
      _ = Glibc.close(descriptor)
      #endif
    }
  }

  /// Closes with a reset instead of an orderly end.
  public func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    close()
  }
}
