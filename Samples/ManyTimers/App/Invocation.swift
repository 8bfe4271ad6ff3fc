/// The options of the command line.
enum Invocation: Hashable, Sendable {
  case help
  /// The list: live on a terminal, otherwise a short session.
  case list
  case documents
  case load(LoadRun)

  /// The mistake in the command line, in one line.
  struct Invalid: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  static let usage = """
    usage: manytimers [--documents | --rows N [--ticks N]]

    One timer that knows of no other, hosted in many ways:
      (nothing)     twelve in one list; keys start and stop them. Where there is no terminal, a short session
      --documents   one store for each, opened and closed while the program runs
      --rows N      so many in one list, all at once, for so many ticks each (10 unless --ticks says otherwise);
                    tells what was sustained, and fails if a single tick was lost
    """

  /// Reads the arguments after the program's name.
  static func parse(_ arguments: [String]) throws(Invalid) -> Invocation {
    var rest = arguments[...]
    switch rest.popFirst() {
    case nil: return .list
    case "--help", "-h": return .help
    case "--documents":
      try end(rest)
      return .documents
    case "--rows":
      var load = LoadRun(rows: try number("--rows", upTo: 1_000_000, &rest))
      if rest.first == "--ticks" {
        rest.removeFirst()
        load.ticks = try number("--ticks", upTo: 10_000, &rest)
      }
      try end(rest)
      return .load(load)
    case .some(let argument): throw Invalid(description: "'\(argument)' is not an option; try --help")
    }
  }

  private static func number(_ option: String, upTo limit: Int, _ rest: inout ArraySlice<String>)
    throws(Invalid) -> Int
  {
    guard let number = rest.popFirst().flatMap({ Int($0) }), (1...limit).contains(number) else {
      throw Invalid(description: "\(option) needs a number from 1 to \(limit)")
    }
    return number
  }

  private static func end(_ rest: ArraySlice<String>) throws(Invalid) {
    if let argument = rest.first { throw Invalid(description: "'\(argument)' is one too many") }
  }
}
