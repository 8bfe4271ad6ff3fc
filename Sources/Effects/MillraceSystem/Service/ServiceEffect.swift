import Dispatch
import Foundation
import Millrace
import MillraceEffects

/// Reports the program's status in the state to a service manager, and feeds its watchdog as long as the store works.
///
/// ```swift
/// store.connect(ServiceEffect(), to: \.service, action: AppAction.service, longRunning: true)
/// ```
///
/// Uses the protocol of systemd's `sd_notify`, with the socket named by the environment variable `NOTIFY_SOCKET`. Does
/// nothing if that is not set. A unit with `Type=notify` waits until the phase is `ready`.
///
/// With `WatchdogSec=` in the unit, systemd restarts a program that sends no message for that long. The effect sends
/// messages twice as often, each after the store has reduced ``ServiceEvent/beat``. So a program is restarted if its
/// reducer hangs or its mailbox grows faster than it is emptied, even if its other threads work. The watchdog begins
/// with the phase `ready`.
public struct ServiceEffect: EffectComponent {
  /// A message to the service manager.
  public enum Request: Hashable, Sendable {
    /// The status, whenever it changes.
    case status(ServiceStatus)
    /// A sign that the store works, sent repeatedly.
    case watchdog
  }

  private let socket: NotifySocket?
  private let interval: Duration?
  private let clock: any Clock<Duration>

  /// Makes an effect for the service manager that started this process, if any.
  ///
  /// - Parameters:
  ///   - environment: the variables `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`; by default those of this
  ///     process.
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

  /// Returns the identity, one for each kind of request.
  public func id(of request: Request) -> Int { request == .watchdog ? 1 : 0 }

  /// Returns the status, and the watchdog once the phase is past `starting`; nothing without a service manager.
  public func requests(in status: ServiceStatus) -> Set<Request> {
    guard socket != nil else { return [] }
    return status.phase == .starting || interval == nil ? [.status(status)] : [.status(status), .watchdog]
  }

  /// Sends one message, or the watchdog's messages. Blocks for the length of a system call.
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
