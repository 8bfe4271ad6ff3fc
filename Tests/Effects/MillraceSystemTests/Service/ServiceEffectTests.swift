import Foundation
import Millrace
import MillraceEffects
import MillraceSystem
import MillraceTesting
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A service manager's end of the socket.
private final class Manager {
  let path: String
  private let descriptor: Int32
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("notify")
    #if canImport(Glibc)
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    #else
    descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(status == 0)
  }

  deinit { close(descriptor) }

  /// The next message that was sent; `nil` if there is none.
  func message() -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
  }
}

@Suite struct ServiceEffectTests {
  private typealias Event = ServiceEvent

  @Test("a service manager is told the phase and the text, each time that one changes")
  func status() async throws {
    let manager = try Manager()
    let effect = ServiceEffect(environment: ["NOTIFY_SOCKET": manager.path])
    let store = Store(initialState: ServiceStatus(), on: .immediate) {
      (status: inout ServiceStatus, change: ServiceStatus?) in
      if let change { status = change }
    }
    store.connect(effect, to: \.self) { (event: Event) -> ServiceStatus? in
      Issue.record("\(event)")
      return nil
    }
    await store.settled()
    #expect(manager.message() == nil, "there is nothing to tell yet")
    store.dispatch(ServiceStatus(phase: .ready, text: "12\nfeeds"))
    await store.settled()
    #expect(manager.message() == "READY=1\nSTATUS=12 feeds")
    store.dispatch(ServiceStatus(phase: .reloading))
    await store.settled()
    #expect(manager.message()?.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") == true)
    store.dispatch(ServiceStatus(phase: .stopping))
    await store.settled()
    #expect(manager.message() == "STOPPING=1")
  }

  @Test("the watchdog is fed after the store has reduced a beat, and not before")
  func watchdog() async throws {
    let (manager, clock, gate) = (try Manager(), TestClock(), Gate())
    let effect = ServiceEffect(
      environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "2000000"], clock: clock)
    #expect(effect.requests(in: ServiceStatus()) == [.status(ServiceStatus())])
    let ready = ServiceStatus(phase: .ready)
    #expect(effect.requests(in: ready) == [.status(ready), .watchdog])
    let run = Task {
      try await effect.run(
        .watchdog,
        send: Send { _ in
          try? await gate.wait()
          return .reduced
        })
    }
    for _ in 1...3 {
      try await gate.waiters(atLeast: 1)
      #expect(manager.message() == nil, "a store that hangs feeds no watchdog")
      gate.pass()
      try await clock.sleepers(atLeast: 1)
      #expect(manager.message() == "WATCHDOG=1")
      clock.advance(by: .seconds(1))
    }
    run.cancel()
    gate.open()
    _ = try? await run.value
  }

  @Test("without a service manager, or with a watchdog of another process, nothing is asked for")
  func absent() {
    let ready = ServiceStatus(phase: .ready)
    #expect(ServiceEffect(environment: [:]).requests(in: ready).isEmpty)
    let other = ["NOTIFY_SOCKET": "/nowhere", "WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "1"]
    #expect(ServiceEffect(environment: other).requests(in: ready) == [.status(ready)])
    for time in ["0", "-1", "soon"] {
      let none = ["NOTIFY_SOCKET": "/nowhere", "WATCHDOG_USEC": time]
      #expect(ServiceEffect(environment: none).requests(in: ready) == [.status(ready)])
    }
    #expect(ServiceEffect(environment: ["NOTIFY_SOCKET": ""]).requests(in: ready).isEmpty)
  }

  @Test("a socket that is not there, or cannot be, is a failure")
  func failure() async {
    for path in ["/nowhere/notify", String(repeating: "long", count: 100)] {
      let effect = ServiceEffect(environment: ["NOTIFY_SOCKET": path])
      await #expect(throws: ServiceFailure.self) {
        try await effect.run(.status(ServiceStatus(phase: .ready)), send: .recording(into: Recorder()))
      }
    }
    let failure = ServiceFailure(errorNumber: ENOENT)
    #expect(ServiceEffect().action(for: failure, of: .watchdog) == .failed(failure))
  }
}
