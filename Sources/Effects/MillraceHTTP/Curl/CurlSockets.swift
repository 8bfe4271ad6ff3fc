#if !canImport(Darwin)
import CMillraceCurl
import Foundation
import Millrace

/// Makes connections by libcurl and transfers bytes over them, in one thread, which exists while a connection is open.
///
/// | state | guarded by | until |
/// |---|---|---|
/// | `sockets`, `numbers`, `due`, `descriptors` | used by the one thread only | the transport is released |
final class CurlSockets: @unchecked Sendable {  // one thread uses its variables
  private enum Command {
    case open(Int, HTTPAddress, WebSocketChannel)
    case look(Int)
  }

  /// The transport of all effects.
  static let shared = CurlSockets()
  /// The longest sleep of the thread in milliseconds, if nothing happens.
  private static let longestSleep: Int32 = 60_000

  private let commands = CurlCommands<Command>()
  private let library: Result<CurlLibrary, HTTPFailure>
  private let setup: CurlSetup
  private var sockets: [Int: CurlSocket] = [:]
  private var numbers: [OpaquePointer: Int] = [:]
  /// The connections that are known to have something to do.
  private var due: Set<Int> = []
  /// The descriptors that libcurl has not closed.
  private var descriptors: Set<Int32> = []
  /// libcurl calls it when it closes a descriptor. It lives as long as this object.
  private let closings = UnsafeMutablePointer<millrace_curl_sockets>.allocate(capacity: 1)

  init(setup: CurlSetup = CurlSetup(), library: Result<CurlLibrary, HTTPFailure> = CurlLibrary.shared) {
    (self.setup, self.library) = (setup, library)
    closings.initialize(
      to: millrace_curl_sockets(
        context: Unmanaged.passUnretained(self).toOpaque(),
        closing: { context, descriptor in
          // Unretained, since `run` keeps the transport, and closes the set with all connections before it returns.
          Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().descriptors.remove(descriptor)
        }))
  }

  deinit { closings.deallocate() }

  /// Whether the thread exists.
  var hasThread: Bool { commands.hasThread }

  /// Connects to the host of an address, with TLS if its scheme is `https`. The channel reports later whether that has
  /// succeeded.
  func open(_ address: HTTPAddress) -> WebSocketChannel {
    let number = commands.nextNumber()
    let channel = WebSocketChannel {
      // Without a thread, there is no connection to serve.
      self.commands.post(.look(number), needsThread: false) { self.run() }
    }
    if case .failure(let failure) = library {
      channel.ended(failure)
    } else {
      commands.post(.open(number, address, channel)) { self.run() }
    }
    return channel
  }

  // MARK: The thread

  private func run() {
    while let next = commands.next(isIdle: sockets.isEmpty) {
      guard let multi = commands.openMulti() else {
        for case .open(_, _, let channel) in next { channel.ended(CurlCommands<Command>.shortage) }
        continue
      }
      for command in next { perform(command, multi) }
      let problem = millrace_curl_multi_perform(multi)
      if problem != 0 { endAll(multi, because: problem) }
      var code: Int32 = 0
      while let easy = millrace_curl_multi_ended(multi, &code) {
        guard let number = numbers[easy], let socket = sockets[number] else { continue }
        if socket.connected(code) {
          descriptors.insert(socket.descriptor)
          due.insert(number)
        } else {
          remove(socket, multi)
        }
      }
      serve(multi)
      guard !sockets.isEmpty else {
        commands.closeMulti()  // none of its connections is used twice
        continue
      }
      if commands.areWaiting { continue }
      wait(multi)
    }
  }

  private func perform(_ command: Command, _ multi: OpaquePointer) {
    switch command {
    case .look(let number): due.insert(number)
    case .open(let number, let address, let channel):
      let socket: CurlSocket
      do throws(HTTPFailure) {
        socket = try CurlSocket(
          number, address, for: channel, setup: setup, library: library.get(), sockets: closings)
      } catch { return channel.ended(error) }
      let code = millrace_curl_multi_add(multi, socket.easy.handle)
      guard code == 0 else {
        return channel.ended(.other("libcurl takes no more transfers (code \(code))"))
      }
      sockets[number] = socket
      numbers[socket.easy.handle] = number
    }
  }

  /// Makes each connection that is due read and write.
  private func serve(_ multi: OpaquePointer) {
    let numbers = due
    due = []
    for number in numbers {
      guard let socket = sockets[number] else { continue }
      switch socket.serve() {
      case .waits: break
      case .isBusy: due.insert(number)
      case .isOver: remove(socket, multi)
      }
    }
  }

  /// Waits until something is due, or until another thread posts a command.
  private func wait(_ multi: OpaquePointer) {
    let waiting = sockets.values.filter { $0.events != 0 }
    var waits = waiting.map {
      millrace_curl_wait(descriptor: $0.descriptor, events: $0.events, happened: 0)
    }
    let sleep = due.isEmpty ? Self.longestSleep : 0
    if millrace_curl_multi_poll_all(multi, &waits, UInt32(waits.count), sleep) != 0 { usleep(10_000) }
    for (socket, wait) in zip(waiting, waits) where wait.happened != 0 { due.insert(socket.number) }
  }

  private func remove(_ socket: CurlSocket, _ multi: OpaquePointer) {
    sockets[socket.number] = nil
    numbers[socket.easy.handle] = nil
    due.remove(socket.number)
    _ = millrace_curl_multi_remove(multi, socket.easy.handle)
    // Older versions close the descriptor with the set, but the server must see the end now.
    if descriptors.remove(socket.descriptor) != nil { millrace_socket_end(socket.descriptor) }
  }

  private func endAll(_ multi: OpaquePointer, because code: Int32) {
    for socket in sockets.values {
      socket.channel.ended(.other("libcurl cannot go on (code \(code))"))
      remove(socket, multi)
    }
  }
}
#endif
