import MillraceSpelling

/// A program that the state asks to run: its identity, its executable and its environment.
///
/// The program runs while the request is in the state, and its whole process group is ended when the request leaves.
/// Changing anything but its `id` ends the program and starts it again, once no process of the old group is left. To
/// rerun a program that has ended, give the request another `attempt`. A request is plain data: nothing is checked
/// before the program is started. Texts are compared by the bytes that the program gets.
///
/// ```swift
/// var list = SubprocessRequest("list", "git", ["ls-files"])
/// list.workingDirectory = "/srv/project"
/// list.environment = .inheriting(changing: ["LC_ALL": "C", "GIT_DIR": nil])
/// ```
public struct SubprocessRequest<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The identity of the process in its set.
  public var id: ID
  /// The path of the program, if it contains a slash; a relative path begins at this process's working directory. A
  /// name without a slash is looked up in the folders of the `PATH` variable of the subprocess's environment.
  public var executable: String
  /// The arguments after the program's own name.
  public var arguments: [String]
  /// The environment variables of the program.
  public var environment: SubprocessEnvironment
  /// The working directory of the program; that of this process if `nil`.
  public var workingDirectory: String?
  /// The standard input of the program.
  public var input: SubprocessInput
  /// Whether standard error is merged into standard output, like `2>&1` in a shell: all lines are then of
  /// ``SubprocessLine/Stream/output``, in the order in which they were written.
  public var mergesErrors: Bool
  /// Whether any end but an exit with status 0 is a failure: ``SubprocessFailure/unsuccessful(_:lastErrors:)``, which
  /// `retried` and other policies handle. By default every end is a result, ``SubprocessEvent/ended(_:_:)``.
  public var requiresSuccess: Bool
  /// The largest number of bytes of one ``SubprocessLine``; 64 KiB by default. A longer line is split. Less than 1
  /// counts as 1.
  public var longestLine: Int
  /// The largest number of bytes that the program may write to both streams together; `nil` for no limit. If it
  /// writes more, it is ended with ``SubprocessFailure/outputTooLarge(limit:)``. Memory is bounded in either case.
  public var outputLimit: Int?
  /// The time between `SIGTERM` and `SIGKILL` when the process group is ended; 5 seconds by default. Less than zero
  /// counts as zero.
  public var gracePeriod: Duration
  /// Whether the process group is killed as soon as this process has ended in any way, even by `SIGKILL`. By default
  /// false: if this process gets no chance to end the program, the program continues.
  ///
  /// A guard kills the group: a `/bin/sh` that starts before the program and leads its group. It costs one process and
  /// one file descriptor. A program that leaves its group, such as a daemon, is not killed.
  public var diesWithParent: Bool
  /// The number of the attempt, from 1. The program does not get it; it only makes a repeated request differ from the
  /// last one.
  public var attempt: Int

  /// Makes a request.
  public init(
    _ id: ID, _ executable: String, _ arguments: [String] = [],
    environment: SubprocessEnvironment = .inherited, workingDirectory: String? = nil,
    input: SubprocessInput = .empty, mergesErrors: Bool = false, requiresSuccess: Bool = false,
    longestLine: Int = 64 << 10, outputLimit: Int? = nil, gracePeriod: Duration = .seconds(5),
    diesWithParent: Bool = false, attempt: Int = 1
  ) {
    (self.id, self.executable, self.arguments) = (id, executable, arguments)
    (self.environment, self.workingDirectory, self.input) = (environment, workingDirectory, input)
    (self.mergesErrors, self.requiresSuccess) = (mergesErrors, requiresSuccess)
    (self.diesWithParent, self.attempt) = (diesWithParent, attempt)
    (self.longestLine, self.outputLimit, self.gracePeriod) = (longestLine, outputLimit, gracePeriod)
  }
}

extension SubprocessRequest {
  private var texts: [ByteEqual?] {
    ([workingDirectory, executable] + arguments).map { $0.map(ByteEqual.init) }
  }

  /// Returns whether both requests are equal; texts are compared byte by byte.
  public static func == (one: Self, other: Self) -> Bool {
    one.id == other.id && one.attempt == other.attempt && one.texts == other.texts
      && one.environment == other.environment && one.input == other.input
      && one.mergesErrors == other.mergesErrors && one.requiresSuccess == other.requiresSuccess
      && one.longestLine == other.longestLine && one.outputLimit == other.outputLimit
      && one.gracePeriod == other.gracePeriod && one.diesWithParent == other.diesWithParent
  }

  /// Hashes what requests usually differ by: the identity, the attempt, the texts and the input.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(attempt)
    hasher.combine(texts)
    hasher.combine(input)
  }
}

/// The environment variables of a subprocess.
public enum SubprocessEnvironment: Hashable, Sendable {
  /// The variables of this process at the start of the subprocess, with changes; `nil` removes a variable.
  case inheriting(changing: [String: String?])
  /// Only these variables.
  case exactly([String: String])

  /// The variables of this process at the start of the subprocess.
  public static var inherited: Self { .inheriting(changing: [:]) }

  private var exact: [ByteEqual: ByteEqual?] {
    switch self {
    case .inheriting(let changes):
      .init(uniqueKeysWithValues: changes.map { (ByteEqual($0), $1.map(ByteEqual.init)) })
    case .exactly(let values):
      .init(uniqueKeysWithValues: values.map { (ByteEqual($0), ByteEqual($1)) })
    }
  }

  private var isExactly: Bool { if case .exactly = self { true } else { false } }

  /// Returns whether both are equal, byte by byte.
  public static func == (one: Self, other: Self) -> Bool {
    one.isExactly == other.isExactly && one.exact == other.exact
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(isExactly)
    hasher.combine(exact)
  }
}

/// The standard input of a subprocess.
public enum SubprocessInput: Hashable, Sendable {
  /// Empty input.
  case empty
  /// These bytes, then the end of the input. If the program does not read them all, that is not a failure.
  case bytes([UInt8])
  /// A file, which the program reads itself. Paths are equal if their bytes are. For a FIFO, the program starts once
  /// another process has written to it or closed it; a run that is stopped before starts nothing.
  case file(String)
  /// The bytes that are written while the program runs, by the effect's `write(_:to:)`, until `closeInput(of:)`.
  case live

  /// The text in UTF-8, then the end of the input.
  public static func text(_ text: String) -> Self { .bytes(Array(text.utf8)) }

  private enum Exact: Hashable {
    case empty, live
    case bytes([UInt8])
    case file(ByteEqual)
  }

  private var exact: Exact {
    switch self {
    case .empty: .empty
    case .live: .live
    case .bytes(let bytes): .bytes(bytes)
    case .file(let path): .file(ByteEqual(path))
    }
  }

  /// Returns whether both are equal, byte by byte.
  public static func == (one: Self, other: Self) -> Bool { one.exact == other.exact }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(exact) }
}
