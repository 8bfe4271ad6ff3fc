import Foundation

/// The datagram socket of a service manager.
struct NotifySocket: Sendable {
  /// The path. If it begins with `@`, it is an abstract socket name of Linux.
  let path: String

  /// Sends one message, in one datagram.
  func send(_ message: String) throws(ServiceFailure) {
    #if canImport(Glibc)
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #elseif canImport(Musl) || canImport(Android)
    let descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)
    #else
    let descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
    #endif
    guard descriptor >= 0 else { throw ServiceFailure(errorNumber: errno) }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(path.utf8)
    if name.first == UInt8(ascii: "@") { name[0] = 0 }
    let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    guard !name.isEmpty, offset + name.count < MemoryLayout<sockaddr_un>.size else {
      throw ServiceFailure(errorNumber: ENAMETOOLONG)
    }
    // The bytes of the name are within the address, as checked above; only the call reads both.
    let count = withUnsafeMutableBytes(of: &address) { bytes in
      bytes[offset..<offset + name.count].copyBytes(from: name)
      return Array(message.utf8).withUnsafeBytes { text in
        bytes.withMemoryRebound(to: sockaddr.self) {
          sendto(descriptor, text.baseAddress, text.count, 0, $0.baseAddress, socklen_t(offset + name.count))
        }
      }
    }
    guard count >= 0 else { throw ServiceFailure(errorNumber: errno) }
  }
}
