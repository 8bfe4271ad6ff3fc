import MillraceDescriptors
import MillraceSpelling

/// The reason why a subprocess was not started, was ended, or has failed.
@nonexhaustive public enum SubprocessFailure: Error, Codable, Hashable, Sendable {
  /// There is no such program. The associated value is the path or name of the request.
  case notFound(String)
  /// The file at the path is not a program that this system can run, or this user may not run it.
  case notExecutable(path: String)
  /// The working directory does not exist.
  case noWorkingDirectory(String)
  /// The file for the input cannot be opened.
  case unreadableInput(path: String, errorNumber: Int32)
  /// An argument, a variable or a path contains a zero byte, or a variable's name is empty or contains a `=`.
  case notPassable(String)
  /// The system could not start a process: there are too many processes or open files, or the arguments are too long.
  case notStarted(errorNumber: Int32)
  /// The program wrote more than ``SubprocessRequest/outputLimit`` and was ended.
  case outputTooLarge(limit: Int)
  /// The program did not exit with status 0, which its request requires: see ``SubprocessRequest/requiresSuccess``.
  /// `lastErrors` are the last 10 lines that it wrote to standard error, or to either stream if
  /// ``SubprocessRequest/mergesErrors`` is true, each cut to 1,000 bytes. All lines were sent before, as
  /// ``SubprocessEvent/wrote(_:_:)``.
  case unsuccessful(SubprocessTermination, lastErrors: [String])
  /// The program has ended, but its status is unknown, because this process ignores `SIGCHLD` or waited for it
  /// elsewhere.
  case statusLost
  /// The program exceeded a time limit. The effect itself sets none: this is for a timeout around it,
  /// `.timingOut(after: .seconds(60), failure: { _ in .timedOut })`.
  case timedOut
}

extension SubprocessFailure: CustomStringConvertible {
  /// The failure in one line, for people.
  public var description: String {
    switch self {
    case .notFound(let program): "no such program: \(Spelling.visible(program))"
    case .notExecutable(let path): "cannot be run by this system or user: \(Spelling.visible(path))"
    case .noWorkingDirectory(let path): "no such working directory: \(Spelling.visible(path))"
    case .unreadableInput(let path, let number):
      "its input cannot be opened, \(DescriptorIO.Failure(number: number).reason): \(Spelling.visible(path))"
    case .notPassable(let text): "cannot be passed to a program: \(Spelling.visible(text))"
    case .notStarted(let number): "not started: \(DescriptorIO.Failure(number: number).reason)"
    case .outputTooLarge(let limit): "wrote more than \(limit) bytes, and was ended"
    case .unsuccessful(.exited(let status), let lines): Self.text("exited with status \(status)", lines)
    case .unsuccessful(.killed(let signal), let lines): Self.text("killed by signal \(signal)", lines)
    case .timedOut: "took longer than it may"
    case .statusLost: "ended with an unknown status, which this process ignores or has taken elsewhere"
    }
  }

  private static func text(_ ending: String, _ lines: [String]) -> String {
    lines.last.map { "\(ending): \(Spelling.visible($0))" } ?? ending
  }
}

extension SubprocessFailure: BareCases {
  package static let bareCases: [Self: String] = [.statusLost: "statusLost", .timedOut: "timedOut"]
}
