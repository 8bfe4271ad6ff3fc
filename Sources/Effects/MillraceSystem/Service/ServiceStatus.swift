/// The status of this program for a service manager such as systemd. Keep it in the state.
///
/// ```swift
/// var service = ServiceStatus()
/// service.text = "12 feeds"
/// service.phase = .ready
/// ```
public struct ServiceStatus: Hashable, Sendable {
  /// The phase of a program.
  public enum Phase: Hashable, Sendable {
    /// The program is not ready to serve. Only the text is reported.
    case starting
    /// The program serves.
    case ready
    /// The program is reading its configuration again.
    case reloading
    /// The program is ending.
    case stopping
  }

  /// The phase of the program.
  public var phase = Phase.starting
  /// One line for people, as `systemctl status` shows it; empty for none.
  public var text = ""

  /// Makes the status of a program that starts.
  public init(phase: Phase = .starting, text: String = "") { (self.phase, self.text) = (phase, text) }

  /// The message to send; empty if there is nothing to report.
  ///
  /// - Parameter now: the time of the monotonic clock in microseconds, which a reload must report.
  func message(now: UInt64) -> String {
    var lines: [String] =
      switch phase {
      case .starting: []
      case .ready: ["READY=1"]
      case .reloading: ["RELOADING=1", "MONOTONIC_USEC=\(now)"]
      case .stopping: ["STOPPING=1"]
      }
    if !text.isEmpty { lines.append("STATUS=\(text.replacing(/[\r\n]+/, with: " "))") }
    return lines.joined(separator: "\n")
  }
}

/// An event of a ``ServiceEffect``.
public enum ServiceEvent: Codable, Hashable, Sendable {
  /// The store has reduced this event, which shows the service manager's watchdog that the store works. A reducer can
  /// ignore it.
  case beat
  /// The message could not be sent to the service manager.
  case failed(ServiceFailure)
}

/// The reason why a message could not be sent to a service manager.
public struct ServiceFailure: Error, Codable, Hashable, Sendable {
  /// The system's error number, such as `ENOENT` if there is no such socket.
  public var errorNumber: Int32

  /// Makes a failure, for tests.
  public init(errorNumber: Int32) { self.errorNumber = errorNumber }
}
