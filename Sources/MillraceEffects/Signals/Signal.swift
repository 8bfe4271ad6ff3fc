#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A signal that another process, the terminal or the system can send.
public enum Signal: Hashable, Sendable, CaseIterable {
  /// `SIGINT`: Control-C at the terminal.
  case interrupt
  /// `SIGTERM`: a polite request to end.
  case terminate
  /// `SIGHUP`: the terminal was closed, or a daemon is to read its configuration again.
  case hangup
  /// `SIGQUIT`: Control-\ at the terminal.
  case quit
  /// `SIGUSR1`
  case user1
  /// `SIGUSR2`
  case user2
  /// `SIGWINCH`: the terminal's window changed its size.
  case windowChanged
  /// `SIGCONT`: the process goes on after it was stopped.
  case resumed
  /// `SIGCHLD`: a child process ended.
  case childChanged

  /// The number of the signal on this system.
  public var number: Int32 {
    switch self {
    case .interrupt: SIGINT
    case .terminate: SIGTERM
    case .hangup: SIGHUP
    case .quit: SIGQUIT
    case .user1: SIGUSR1
    case .user2: SIGUSR2
    case .windowChanged: SIGWINCH
    case .resumed: SIGCONT
    case .childChanged: SIGCHLD
    }
  }
}
