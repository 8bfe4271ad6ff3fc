import Dispatch
import Foundation
import Millrace
import MillraceEffects

/// Tells a service manager what the state says of the program, and feeds its watchdog by the store's own health.
///
/// ```swift
/// store.connect(ServiceEffect(), to: \.service, action: AppAction.service, longRunning: true)
/// ```
///
/// Speaks the protocol of systemd's `sd_notify` to the socket that the environment variable `NOTIFY_SOCKET` names, and
/// does nothing without it. A unit with `Type=notify` waits until the phase is `ready`.
///
/// With `WatchdogSec=` in the unit, systemd restarts a program that is silent for that long. The effect speaks twice as
/// often, each time once the store has reduced ``ServiceEvent/beat``: a program whose reducer hangs, or whose mailbox
/// grows faster than it is emptied, is restarted, although its other threads are well. The watchdog begins with the
/// phase `ready`.
public struct ServiceEffect: EffectComponent {
  /// One thing to tell.
  public enum Request: Hashable, Sendable {
    /// The status, each time that it changes.
    case status(ServiceStatus)
    /// That the store works, again and again.
    case watchdog
  }

  private let socket: NotifySocket?
  private let interval: Duration?
  private let clock: any Clock<Duration>

  /// Makes an effect for the service manager that has started this process, if there is one.
  ///
  /// - Parameters:
  ///   - environment: the variables `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`, by default of this process.
  ///   - clock: the clock of the watchdog.
  public init(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    socket = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : NotifySocket(path: $0) }
    self.clock = clock
    let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(ProcessInfo.processInfo.processIdentifier)" }
    let time = environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    interval = isMeant == false ? nil : time.map { Duration.microseconds($0) / 2 }
  }

  /// Returns the identity, of which there is one for each kind of request.
  public func id(of request: Request) -> Int { request == .watchdog ? 1 : 0 }

  /// Returns the status, and the watchdog while the program serves; nothing without a service manager.
  public func requests(in status: ServiceStatus) -> Set<Request> {
    guard socket != nil else { return [] }
    return status.phase == .starting || interval == nil ? [.status(status)] : [.status(status), .watchdog]
  }

  /// Tells one thing. Blocks for the length of a system call.
  public func run(_ request: Request, send: Send<ServiceEvent>) async throws(ServiceFailure) {
    guard let socket else { return }
    switch request {
    case .status(let status):
      let message = status.message(now: DispatchTime.now().uptimeNanoseconds / 1000)
      if !message.isEmpty { try socket.send(message) }
    case .watchdog:
      guard let interval else { return }
      while await send(.beat) == .reduced {
        try socket.send("WATCHDOG=1")
        guard await clock.waits(interval, for: "the next beat of a watchdog") else { return }
      }
    }
  }

  /// Returns ``ServiceEvent/failed(_:)``.
  public func action(for failure: ServiceFailure, of request: Request) -> ServiceEvent { .failed(failure) }
}
