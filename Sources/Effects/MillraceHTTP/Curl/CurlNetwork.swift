#if !canImport(Darwin)
import CMillraceCurl

/// The sockets of one client, and its look-ups of names. Used only by the transport's thread.
///
/// libcurl decides which connection a transfer gets. This class checks what libcurl does not: whether a kept connection
/// has unread input, was closed by the server, or has brought no answer in time.
final class CurlNetwork {
  private(set) var connections: [Int32: CurlConnection] = [:]
  var lookups = LookupSlots()
  /// libcurl calls it when it closes a socket. It lives as long as this object.
  let sockets: UnsafeMutablePointer<millrace_curl_sockets>
  /// Becomes readable when something happens to an idle connection; -1 if the system has no such descriptor.
  let watch: Int32

  init(watch: Int32) {
    self.watch = watch
    sockets = .allocate(capacity: 1)
    let me = Unmanaged.passUnretained(self).toOpaque()
    sockets.initialize(
      to: millrace_curl_sockets(
        context: me,
        closing: { context, descriptor in
          // The transport keeps the network until libcurl has closed all of its connections.
          Unmanaged<CurlNetwork>.fromOpaque(context).takeUnretainedValue().closes(descriptor)
        }))
  }

  deinit { sockets.deallocate() }

  /// Whether there is a connection for further requests.
  var hasUsableConnections: Bool { connections.values.contains { !$0.isOver } }

  func opened(_ descriptor: Int32) { connections[descriptor] = CurlConnection(descriptor) }

  private func closes(_ descriptor: Int32) {
    if let connection = connections.removeValue(forKey: descriptor), connection.isIdle {
      millrace_watch_remove(watch, descriptor)
    }
  }

  /// Returns the connection between two addresses.
  func connection(
    _ local: UnsafePointer<CChar>, _ localPort: Int32, _ remote: UnsafePointer<CChar>, _ remotePort: Int32
  ) -> CurlConnection? {
    connections.values.first {
      ($0.localPort == nil || $0.localPort == localPort)
        && millrace_socket_connects($0.descriptor, local, localPort, remote, remotePort) != 0
    }
  }

  /// Records that a transfer uses a connection.
  func began(on connection: CurlConnection) {
    if connection.isIdle { millrace_watch_remove(watch, connection.descriptor) }
    connection.transfers += 1
    connection.isNew = false
  }

  /// Records that a transfer no longer uses a connection. libcurl may have closed it.
  func ended(on connection: CurlConnection) {
    connection.transfers -= 1
    guard connection.isIdle, connections[connection.descriptor] === connection else { return }
    if connection.isOver {
      end(connection)
    } else {
      millrace_watch_add(watch, connection.descriptor, connection.isMultiplexed ? 0 : 1)
    }
  }

  /// Ends the connections among these idle ones that cannot be used again. Something has happened to each of them.
  func endUnusable(_ descriptors: [Int32]) {
    for descriptor in descriptors {
      guard let connection = connections[descriptor], connection.isIdle else { continue }
      if connection.condition == .unusable {
        end(connection)
      } else {
        millrace_watch_add(watch, descriptor, connection.isMultiplexed ? 0 : 1)
      }
    }
  }

  /// Ends a connection that no transfer uses. libcurl closes its descriptor when it next tries to use it.
  func end(_ connection: CurlConnection) {
    guard connection.isIdle else { return }
    connection.isOver = true
    millrace_watch_remove(watch, connection.descriptor)
    millrace_socket_end(connection.descriptor)
  }
}

/// The state of one connection.
final class CurlConnection {
  let descriptor: Int32
  var localPort: Int32?
  /// The number of transfers that use it.
  var transfers = 0
  var isNew = true
  /// Whether it uses HTTP/2, whose answers identify their requests.
  var isMultiplexed = false
  /// The number of arrivals of parts of an answer.
  var arrivals = 0
  /// Whether no other request may be sent over it.
  var isOver = false

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  var isIdle: Bool { transfers == 0 && !isNew }

  var condition: SendDecision.Connection {
    guard !isNew else { return .fresh }
    guard !isOver else { return .unusable }
    switch millrace_socket_look(descriptor) {
    case MILLRACE_SOCKET_QUIET: return .kept
    case MILLRACE_SOCKET_UNREAD where isMultiplexed: return .kept
    default: return .unusable
    }
  }
}
#endif
