/// The options of the command line.
enum Invocation: Hashable, Sendable {
  case help
  case script
  /// The screens of a link, and the file in which the program keeps its state; by default one of the user's.
  case run(opening: [Screen]?, file: String?)

  /// The mistake in the command line, in one line.
  struct Invalid: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  static let usage = """
    usage: booking [open LINK] [--file FILE]
           booking --script

    Books trips. A link is trips, tickets, trip/NUMBER or trip/NUMBER/seat. What is entered is kept in FILE, by
    default one of the user's own, and the next run goes on from there. Without arguments and without input, and with
    --script, plays a script.
    """

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    var link: [Screen]?
    var file: String?
    self = .help
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": return
      case "--script":
        guard arguments.count == 1 else { throw Invalid(description: "--script goes with nothing else") }
        self = .script
        return
      case "open" where link == nil:
        guard let text = rest.popFirst() else { throw Invalid(description: "open needs a link") }
        link = try Link.screens(for: text)
      case "--file" where file == nil:
        guard let path = rest.popFirst(), !path.isEmpty else {
          throw Invalid(description: "--file needs a path")
        }
        file = path
      default: throw Invalid(description: "'\(argument)' is not expected; try --help")
      }
    }
    self = .run(opening: link, file: file)
  }
}
