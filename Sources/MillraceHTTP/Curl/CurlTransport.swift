#if !canImport(Darwin)
import CMillraceCurl
import Foundation
import Millrace

/// Carries messages by libcurl, in one thread, which is there while there is something to carry.
///
/// | state | guarded by | ends |
/// |---|---|---|
/// | `commands` | the lock | when the thread has taken them |
/// | `hasThread` | the lock | when nothing is left to do |
/// | `multi` | the lock; what it does but to be woken belongs to the thread | with the transport; its connections too |
/// | `running`, `waiting`, `slots` | they belong to the thread, of which there is one at a time | with the transport |
final class CurlTransport: HTTPTransport, @unchecked Sendable {  // see above
  private enum Command {
    case begin(Int, HTTPMessage, HTTPTransfer)
    case resume(Int)
    case cancel(Int)
  }

  private struct State {
    var commands: [Command] = []
    var hasThread = false
    var count = 0
    var multi: OpaquePointer?
  }

  private struct Wire: HTTPWire {
    let transport: CurlTransport
    let number: Int
    func resume() { transport.post(.resume(number)) }
    func cancel() { transport.post(.cancel(number)) }
  }

  /// How long the thread sleeps if nothing happens, in milliseconds.
  private static let longestSleep: Int32 = 60_000
  /// How many connections stay open between transfers.
  private static let mostIdleConnections = 16
  private let mostIdleConnections: Int

  private let state = Lock(State())
  private let library: Result<CurlLibrary, HTTPFailure>
  private let setup: CurlSetup
  private var running: [Int: CurlTransfer] = [:]
  private var numbers: [OpaquePointer: Int] = [:]
  private var waiting: [Int: (HTTPMessage, HTTPTransfer)] = [:]
  private var slots: ConnectionSlots

  init(
    connectionsPerHost: Int, setup: CurlSetup = CurlSetup(),
    library: Result<CurlLibrary, HTTPFailure> = CurlLibrary.shared
  ) {
    (self.library, self.setup) = (library, setup)
    slots = ConnectionSlots(perHost: connectionsPerHost)
    mostIdleConnections = max(Self.mostIdleConnections, connectionsPerHost)
  }

  /// Whether the thread is there.
  var hasThread: Bool { state.withLock { $0.hasThread } }

  deinit { if let multi = state.withLock({ $0.multi }) { millrace_curl_multi_free(multi) } }

  func begin(_ message: HTTPMessage) -> HTTPTransfer {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    let transfer = HTTPTransfer(wire: Wire(transport: self, number: number))
    if case .failure(let failure) = library {
      transfer.ended(failure)
    } else {
      post(.begin(number, message, transfer))
    }
    return transfer
  }

  private func post(_ command: Command) {
    let (begins, multi) = state.withLock { state in
      state.commands.append(command)
      defer { state.hasThread = true }
      return (!state.hasThread, state.multi)
    }
    if begins {
      CurlThread.begin { self.run() }
    } else if let multi {
      _ = millrace_curl_multi_wake(multi)
    }
  }

  // MARK: The thread

  private func run() {
    guard let multi = openMulti() else { return refuseAll() }
    while let commands = nextCommands() {
      for command in commands { perform(command, multi) }
      let problem = millrace_curl_multi_perform(multi)
      if problem != 0 { endAll(multi, because: problem) }
      var code: Int32 = 0
      while let easy = millrace_curl_multi_ended(multi, &code) {
        if let number = numbers[easy] { remove(number, multi)?.ended(code) }
      }
      if running.isEmpty { continue }
      if millrace_curl_multi_poll(multi, Self.longestSleep) != 0 { usleep(10_000) }
    }
  }

  /// libcurl's set of transfers with their connections, made when it is first needed: it takes two descriptors.
  private func openMulti() -> OpaquePointer? {
    if let multi = state.withLock({ $0.multi }) { return multi }
    let multi = millrace_curl_multi_new()
    guard let multi else { return nil }
    _ = millrace_curl_multi_set_long(multi, CurlNumber.maxConnects, mostIdleConnections)
    state.withLock { $0.multi = multi }
    return multi
  }

  private func refuseAll() {
    while let commands = nextCommands() {
      for case .begin(_, _, let transfer) in commands {
        transfer.ended(.other("libcurl has no memory or no descriptors"))
      }
    }
  }

  /// What is to be done next; `nil` if the thread is not needed any more.
  private func nextCommands() -> [Command]? {
    let isIdle = running.isEmpty
    return state.withLock { state in
      if isIdle, state.commands.isEmpty {
        state.hasThread = false
        return nil
      }
      defer { state.commands = [] }
      return state.commands
    }
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
      if let transfer = running[number] { _ = millrace_curl_easy_resume(transfer.easy) }
    case .cancel(let number):
      if slots.abandoned(number) { waiting[number] = nil } else { _ = remove(number, multi) }
    }
  }

  private func start(
    _ number: Int, _ message: HTTPMessage, _ sink: HTTPTransfer, _ multi: OpaquePointer
  ) {
    let transfer: CurlTransfer
    do throws(HTTPFailure) {
      transfer = try CurlTransfer(number, message, to: sink, library: try library.get(), setup: setup)
    } catch {
      sink.ended(error)
      if !message.hasOwnConnection { free(message, multi) }
      return
    }
    running[number] = transfer
    numbers[transfer.easy] = number
    let code = millrace_curl_multi_add(multi, transfer.easy)
    guard code != 0 else { return }
    sink.ended(.other("libcurl takes no more transfers (code \(code))"))
    remove(number, multi)
  }

  /// Takes a transfer from libcurl, whose connection is closed unless it has served to its end.
  @discardableResult
  private func remove(_ number: Int, _ multi: OpaquePointer) -> CurlTransfer? {
    guard let transfer = running.removeValue(forKey: number) else { return nil }
    numbers[transfer.easy] = nil
    _ = millrace_curl_multi_remove(multi, transfer.easy)
    if !transfer.message.hasOwnConnection { free(transfer.message, multi) }
    return transfer
  }

  /// The slot of `message` is free for the next that waits for it.
  private func free(_ message: HTTPMessage, _ multi: OpaquePointer) {
    guard let next = slots.ended(at: message.address.origin),
      let (message, sink) = waiting.removeValue(forKey: next)
    else { return }
    start(next, message, sink, multi)
  }

  private func endAll(_ multi: OpaquePointer, because code: Int32) {
    for number in running.keys.sorted() { remove(number, multi)?.ended(code) }
  }
}
#endif
