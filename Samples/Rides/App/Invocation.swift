/// The options of the command line.
enum Invocation: Hashable, Sendable {
  case help
  case play(scriptAt: String?)

  /// The mistake in the command line, in one line.
  struct Invalid: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  static let usage = """
    usage: rides [--script FILE]

    Plays a day of a passenger who books rides: the day built in, or the one in FILE.
    A script has one command a line:
      sign-in NAME   sign-out   home PLACE   go PLACE   confirm   withdraw
      wait MINUTES   call-off   retry        status     # a comment
    """

  /// Reads the arguments after the program's name.
  static func parse(_ arguments: [String]) throws(Invalid) -> Invocation {
    switch arguments.first {
    case nil: return .play(scriptAt: nil)
    case "--help", "-h": return .help
    case "--script":
      guard arguments.count > 1 else { throw Invalid(description: "--script needs a file") }
      guard arguments.count == 2 else { throw Invalid(description: "'\(arguments[2])' is one too many") }
      return .play(scriptAt: arguments[1])
    case .some(let argument): throw Invalid(description: "'\(argument)' is not an option; try --help")
    }
  }
}
