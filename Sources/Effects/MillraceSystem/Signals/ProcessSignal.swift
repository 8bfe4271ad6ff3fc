import Foundation
import MillraceDescriptors

/// A signal that another process, the terminal or the system can send.
@nonexhaustive public enum ProcessSignal: String, Codable, Hashable, Sendable, CaseIterable {
  /// `SIGINT`: Control-C at the terminal.
  case interrupt
  /// `SIGTERM`: a request to end.
  case terminate
  /// `SIGHUP`: the terminal was closed, or a daemon is asked to read its configuration again.
  case hangup
  /// `SIGQUIT`: Control-\ at the terminal.
  case quit
  /// `SIGUSR1`
  case user1
  /// `SIGUSR2`
  case user2
  /// `SIGWINCH`: the terminal's window changed its size.
  case windowChanged
  /// `SIGCONT`: the process continues after it was stopped.
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

  /// Whether this process ignores the signal now.
  ///
  /// A program that is started by `nohup` ignores hangups from the start, and one that a shell without job control
  /// runs in the background ignores interrupts. Such a program should not ask for those signals, since a
  /// ``SignalEffect`` would stop ignoring them:
  ///
  /// ```swift
  /// let signals = Set([ProcessSignal.interrupt, .terminate, .hangup].filter { !$0.isIgnored })
  /// ```
  ///
  /// Check this before the first effect is connected, since a signal that an effect listens to is not ignored.
  /// Callable from any thread; costs one system call.
  public var isIgnored: Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    // Functions are not comparable; their addresses are.
    return unsafeBitCast(action.handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
