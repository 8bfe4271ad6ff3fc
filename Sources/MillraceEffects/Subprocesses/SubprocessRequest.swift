/// A program that the state asks to be run: who it is, what is started, and what it is given.
///
/// It runs while it is in the state, and its whole process group is ended when it leaves. Changing anything of it
/// but the `id` ends it and starts it over. Plain data: nothing is checked before it is started.
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

/// The environment variables of a subprocess.
public enum SubprocessEnvironment: Hashable, Sendable {
  /// Those of this process when the subprocess is started, with some changed; `nil` removes one.
  case inheriting(changing: [String: String?])
  /// Exactly these.
  case exactly([String: String])

  /// Those of this process when the subprocess is started.
  public static var inherited: Self { .inheriting(changing: [:]) }
}

/// What a subprocess reads from its standard input.
public enum SubprocessInput: Hashable, Sendable {
  /// Nothing: it ends at once.
  case empty
  /// These bytes, then the end. That the program does not read them all is no failure.
  case bytes([UInt8])
  /// A file, which the program reads itself.
  case file(String)

  /// The text in UTF-8, then the end.
  public static func text(_ text: String) -> Self { .bytes(Array(text.utf8)) }
}
