#if !canImport(Darwin)
import CMillraceCurl
import Foundation
import Millrace

/// Carries messages by libcurl, in one thread, which exists while there is a message.
///
/// | state | guarded by | until |
/// |---|---|---|
/// | `running`, `numbers`, `waiting`, `slots` | used by the one thread only | the transport is released |
/// | `network`, `idle` | used by the one thread only | the transport is released |
final class CurlTransport: HTTPTransport, @unchecked Sendable {  // one thread uses its variables
  private enum Command {
    case begin(Int, HTTPMessage, HTTPTransfer)
    case resume(Int)
    case cancel(Int, hasTimedOut: Bool)
    /// Something has happened to these idle connections.
    case look([Int32])
  }

  /// The longest sleep of the thread in milliseconds, if nothing happens.
  private static let longestSleep: Int32 = 60_000
  /// The number of connections that stay open between transfers.
  private static let mostIdleConnections = 16
  private let mostIdleConnections: Int

  private let commands = CurlCommands<Command>()
  private let library: Result<CurlLibrary, HTTPFailure>
  private let setup: CurlSetup
  private var running: [Int: CurlTransfer] = [:]
  private var numbers: [OpaquePointer: Int] = [:]
  private var waiting: [Int: (HTTPMessage, HTTPTransfer)] = [:]
  private var slots: ConnectionSlots
  private lazy var network = CurlNetwork(watch: millrace_watch_new())
  private var idle: (any DispatchSourceRead)?

  init(
    connectionsPerHost: Int, setup: CurlSetup = CurlSetup(),
    library: Result<CurlLibrary, HTTPFailure> = CurlLibrary.shared
  ) {
    (self.library, self.setup) = (library, setup)
    slots = ConnectionSlots(perHost: connectionsPerHost)
    mostIdleConnections = max(Self.mostIdleConnections, connectionsPerHost)
  }

  /// Whether the thread exists.
  var hasThread: Bool { commands.hasThread }

  deinit {
    commands.closeMulti()
    idle?.cancel()
  }

  func begin(_ message: HTTPMessage) -> HTTPTransfer {
    let number = commands.nextNumber()
    let transfer = HTTPTransfer {
      self.post(.resume(number))
    } cancel: {
      self.post(.cancel(number, hasTimedOut: $0 == .timedOut))
    }
    if case .failure(let failure) = library {
      transfer.ended(failure)
    } else {
      post(.begin(number, message, transfer))
    }
    return transfer
  }

  private func post(_ command: Command) { commands.post(command) { self.run() } }

  // MARK: The thread

  private func run() {
    while let next = commands.next(isIdle: running.isEmpty) {
      guard let multi = openMulti() else {
        for case .begin(_, _, let transfer) in next { transfer.ended(CurlCommands<Command>.shortage) }
        continue
      }
      for command in next { perform(command, multi) }
      let problem = millrace_curl_multi_perform(multi)
      if problem != 0 { endAll(multi, because: problem) }
      var code: Int32 = 0
      while let easy = millrace_curl_multi_ended(multi, &code) {
        if let number = numbers[easy] { ended(number, code, multi) }
      }
      for number in network.lookups.next() {
        if let (message, sink) = waiting.removeValue(forKey: number) { start(number, message, sink, multi) }
      }
      if running.isEmpty {
        // Closes the descriptors of connections if none of them can be used again.
        if case .look? = next.first, !network.hasUsableConnections { commands.closeMulti() }
        continue
      }
      if commands.areWaiting { continue }
      if millrace_curl_multi_poll(multi, network.watch, Self.longestSleep) != 0 { usleep(10_000) }
      network.endUnusable(Self.happened(network.watch))
    }
  }

  /// Returns libcurl's set of transfers with their connections. It is made when it is needed, since it takes two
  /// descriptors.
  private func openMulti() -> OpaquePointer? {
    commands.openMulti { multi in
      _ = millrace_curl_multi_set_long(multi, CurlNumber.maxConnects, mostIdleConnections)
      if idle == nil, network.watch >= 0 { watchIdle() }
    }
  }

  /// Begins the thread if something happens to a connection while there is no thread.
  private func watchIdle() {
    let watch = network.watch
    let source = DispatchSource.makeReadSource(fileDescriptor: watch, queue: .global())
    source.setEventHandler { [weak self] in
      let descriptors = Self.happened(watch)
      if !descriptors.isEmpty { self?.post(.look(descriptors)) }
    }
    source.setCancelHandler { close(watch) }
    source.activate()
    idle = source
  }

  /// Returns the idle connections to which something has happened, each once.
  private static func happened(_ watch: Int32) -> [Int32] {
    var descriptors: [Int32] = []
    while case let descriptor = millrace_watch_next(watch), descriptor >= 0 { descriptors.append(descriptor) }
    return descriptors
  }

  private func perform(_ command: Command, _ multi: OpaquePointer) {
    switch command {
    case .begin(let number, let message, let transfer):
      if message.hasOwnConnection || slots.wanted(number, at: message.address.origin) {
        start(number, message, transfer, multi)
      } else {
        waiting[number] = (message, transfer)
      }
    case .resume(let number):
      if let transfer = running[number] { _ = millrace_curl_easy_resume(transfer.easy.handle) }
    case .cancel(let number, let hasTimedOut): cancel(number, hasTimedOut, multi)
    case .look(let descriptors): network.endUnusable(descriptors)
    }
  }

  private func cancel(_ number: Int, _ hasTimedOut: Bool, _ multi: OpaquePointer) {
    if slots.abandoned(number) {
      waiting[number] = nil
    } else if let (message, _) = waiting.removeValue(forKey: number) {
      network.lookups.abandoned(number)
      free(message, multi)
    } else if let transfer = running[number] {
      // The thread that looks up the name continues without the transfer, and counts until it ends.
      if transfer.isLookingUp {
        transfer.abandon()
        free(transfer.message, multi)
      } else {
        remove(transfer, multi, hasTimedOut: hasTimedOut)
        if !transfer.isAbandoned { free(transfer.message, multi) }
      }
    }
  }

  private func start(
    _ number: Int, _ message: HTTPMessage, _ sink: HTTPTransfer, isFresh: Bool = false, _ multi: OpaquePointer
  ) {
    let transfer: CurlTransfer
    do throws(HTTPFailure) {
      transfer = try CurlTransfer(
        number, message, to: sink, isFresh: isFresh, library: try library.get(), setup: setup,
        network: network)
    } catch {
      sink.ended(error)
      return free(message, multi)
    }
    running[number] = transfer
    numbers[transfer.easy.handle] = number
    let code = millrace_curl_multi_add(multi, transfer.easy.handle)
    guard code != 0 else { return }
    sink.ended(.other("libcurl takes no more transfers (code \(code))"))
    remove(transfer, multi)
    free(message, multi)
  }

  /// Handles a transfer that libcurl has ended, or that one of its callbacks has stopped.
  private func ended(_ number: Int, _ code: Int32, _ multi: OpaquePointer) {
    guard let transfer = running[number] else { return }
    remove(transfer, multi)
    switch transfer.ended(code) {
    case .over: if !transfer.isAbandoned { free(transfer.message, multi) }
    case .sendOverFreshConnection: start(number, transfer.message, transfer.sink, isFresh: true, multi)
    case .waitForLookup:
      waiting[number] = (transfer.message, transfer.sink)
      network.lookups.waits(number)
    }
  }

  /// Takes a transfer from libcurl. libcurl closes its connection unless the exchange was complete.
  private func remove(_ transfer: CurlTransfer, _ multi: OpaquePointer, hasTimedOut: Bool = false) {
    running[transfer.number] = nil
    numbers[transfer.easy.handle] = nil
    _ = millrace_curl_multi_remove(multi, transfer.easy.handle)
    transfer.removed(hasTimedOut: hasTimedOut)
  }

  /// Gives the slot of `message`, if it has one, to the next message that waits for it.
  private func free(_ message: HTTPMessage, _ multi: OpaquePointer) {
    guard !message.hasOwnConnection, let next = slots.ended(at: message.address.origin),
      let (message, sink) = waiting.removeValue(forKey: next)
    else { return }
    start(next, message, sink, multi)
  }

  private func endAll(_ multi: OpaquePointer, because code: Int32) {
    for number in running.keys.sorted() { ended(number, code, multi) }
  }
}
#endif
