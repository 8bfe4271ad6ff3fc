/// A program that the state asks to be run: who it is, what is started, and what it is given.
///
/// It runs while it is in the state, and its whole process group is ended when it leaves. Changing anything of it
/// but the `id` ends it and starts it over. Plain data: nothing is checked before it is started. Texts are compared as
/// the bytes that the program gets.
///
/// ```swift
/// var list = SubprocessRequest("list", "git", ["ls-files"])
/// list.workingDirectory = "/srv/project"
/// list.environment = .inheriting(changing: ["LC_ALL": "C", "GIT_DIR": nil])
/// ```
public struct SubprocessRequest<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The identity of the process in its set.
  public var id: ID
  /// A path, if there is a slash in it; one that is relative is looked up from where this process is. Otherwise a
  /// name, which is looked for in the folders of `PATH`, as the process's environment has it.
  public var executable: String
  /// What the program gets after its own name.
  public var arguments: [String]
  /// The variables that the program sees.
  public var environment = SubprocessEnvironment.inherited
  /// The folder in which the program starts; where this process is, if `nil`.
  public var workingDirectory: String?
  /// What the program reads from its standard input.
  public var input = SubprocessInput.empty
  /// Whether standard error goes where standard output goes, as `2>&1` does in a shell: then all lines are of
  /// ``SubprocessLine/Stream/output``, in the order in which they were written.
  public var mergesErrors = false
  /// The most bytes that one ``SubprocessLine`` has; 64 KiB by default. A longer line comes in pieces. Less than 1
  /// counts as 1.
  public var longestLine = 64 << 10
  /// The most bytes that the program may write, standard output and standard error together. With one more, it is
  /// ended and fails as ``SubprocessFailure/outputTooLarge(limit:)``. No limit if `nil`; memory is bounded either way.
  public var outputLimit: Int?
  /// How long the group has to end by itself, after it was asked to by `SIGTERM`, before it gets `SIGKILL`. Five
  /// seconds by default; less than zero counts as zero.
  public var gracePeriod = Duration.seconds(5)

  /// Makes a request.
  public init(_ id: ID, _ executable: String, _ arguments: [String] = []) {
    self.id = id
    self.executable = executable
    self.arguments = arguments
  }
}

/// What a request is compared by.
private struct ExactRequest<ID: Hashable & Sendable>: Hashable {
  let id: ID
  let command: [ExactText]
  let folder: ExactText?
  let environment: SubprocessEnvironment
  let input: SubprocessInput
  let mergesErrors: Bool
  let longestLine: Int
  let outputLimit: Int?
  let gracePeriod: Duration

  init(_ request: SubprocessRequest<ID>) {
    id = request.id
    command = ([request.executable] + request.arguments).map(ExactText.init)
    folder = request.workingDirectory.map(ExactText.init)
    (environment, input, mergesErrors) = (request.environment, request.input, request.mergesErrors)
    (longestLine, outputLimit, gracePeriod) = (request.longestLine, request.outputLimit, request.gracePeriod)
  }
}

extension SubprocessRequest {
  /// Whether all of both is equal, texts byte by byte.
  public static func == (one: Self, other: Self) -> Bool { ExactRequest(one) == ExactRequest(other) }

  /// Hashes all of it.
  public func hash(into hasher: inout Hasher) { ExactRequest(self).hash(into: &hasher) }
}

/// The environment variables of a subprocess.
public enum SubprocessEnvironment: Hashable, Sendable {
  /// Those of this process when the subprocess is started, with some changed; `nil` removes one.
  case inheriting(changing: [String: String?])
  /// Exactly these.
  case exactly([String: String])

  /// Those of this process when the subprocess is started.
  public static var inherited: Self { .inheriting(changing: [:]) }

  private var exact: [ExactText: ExactText?] {
    switch self {
    case .inheriting(let changes):
      .init(uniqueKeysWithValues: changes.map { (ExactText($0), $1.map(ExactText.init)) })
    case .exactly(let values):
      .init(uniqueKeysWithValues: values.map { (ExactText($0), ExactText($1)) })
    }
  }

  private var isExactly: Bool { if case .exactly = self { true } else { false } }

  /// Whether both are equal, byte by byte.
  public static func == (one: Self, other: Self) -> Bool {
    one.isExactly == other.isExactly && one.exact == other.exact
  }

  /// Hashes all of it.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(isExactly)
    hasher.combine(exact)
  }
}

/// What a subprocess reads from its standard input.
public enum SubprocessInput: Hashable, Sendable {
  /// Nothing: it ends at once.
  case empty
  /// These bytes, then the end. That the program does not read them all is no failure.
  case bytes([UInt8])
  /// A file, which the program reads itself. Two paths are equal if their bytes are.
  case file(String)
  /// What is written while the program runs, by the effect's `write(_:to:)`, until `closeInput(of:)`.
  case live

  /// The text in UTF-8, then the end.
  public static func text(_ text: String) -> Self { .bytes(Array(text.utf8)) }

  private enum Exact: Hashable {
    case empty, live
    case bytes([UInt8])
    case file(ExactText)
  }

  private var exact: Exact {
    switch self {
    case .empty: .empty
    case .live: .live
    case .bytes(let bytes): .bytes(bytes)
    case .file(let path): .file(ExactText(path))
    }
  }

  /// Whether both are equal, byte by byte.
  public static func == (one: Self, other: Self) -> Bool { one.exact == other.exact }

  /// Hashes all of it.
  public func hash(into hasher: inout Hasher) { hasher.combine(exact) }
}
