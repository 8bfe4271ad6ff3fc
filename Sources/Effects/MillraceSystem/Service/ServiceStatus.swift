/// What a service manager such as systemd is to know of this program. Keep it in the state.
///
/// ```swift
/// var service = ServiceStatus()
/// service.text = "12 feeds"
/// service.phase = .ready
/// ```
public struct ServiceStatus: Hashable, Sendable {
  /// How far the program is.
  public enum Phase: Hashable, Sendable {
    /// It is not ready to serve. Nothing is told yet but the text.
    case starting
    /// It serves.
    case ready
    /// It reads its configuration again.
    case reloading
    /// It ends.
    case stopping
  }

  /// How far the program is.
  public var phase = Phase.starting
  /// One line for people, as `systemctl status` shows it; empty for none.
  public var text = ""

  /// Makes the status of a program that starts.
  public init(phase: Phase = .starting, text: String = "") { (self.phase, self.text) = (phase, text) }

  /// The message that tells it; empty if there is nothing to tell.
  ///
  /// - Parameter now: the time of the monotonic clock in microseconds, which a reload has to tell.
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
  /// The store has reduced this event, which shows the service manager's watchdog that the store works. A reducer does
  /// nothing about it.
  case beat
  /// The service manager could not be told.
  case failed(ServiceFailure)
}

/// The reason why a service manager could not be told.
public struct ServiceFailure: Error, Codable, Hashable, Sendable {
  /// The system's error number, such as `ENOENT` if there is no such socket.
  public var errorNumber: Int32

  /// Makes a failure, for tests.
  public init(errorNumber: Int32) { self.errorNumber = errorNumber }
}
