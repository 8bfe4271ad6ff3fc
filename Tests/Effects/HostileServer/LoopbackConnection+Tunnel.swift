import Foundation
import Millrace

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension LoopbackConnection {
  /// Passes bytes on between this connection and a server at another port, as a proxy does, until either side ends.
  public func tunnel(to port: UInt16) {
    #if canImport(Darwin)
    let target = Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #else
    let target = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    let server = LoopbackConnection(target, Lock([]))
    defer { server.close() }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(target, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { return }
    while true {
      var ends = [descriptor, target].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&ends, 2, -1) > 0 else { return }
      for (index, (from, to)) in [(self, server), (server, self)].enumerated() where ends[index].revents != 0
      {
        let part = from.readWhatIsThere()
        guard !part.isEmpty, to.write(part) else { return }
      }
    }
  }

  private func readWhatIsThere() -> [UInt8] {
    var part = [UInt8](repeating: 0, count: 16 << 10)
    let count = recv(descriptor, &part, part.count, 0)
    return Array(part.prefix(max(0, count)))
  }
}
