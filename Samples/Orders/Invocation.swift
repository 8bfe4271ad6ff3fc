import Foundation
import MillraceStorage

/// The arguments of the program.
struct Invocation {
  enum Command: String {
    case shop, worker, warehouse, trial, bare, work
  }

  /// A mistake in the arguments; the program prints its usage.
  struct Unusable: Error, CustomStringConvertible {
    let problem: String
    var description: String { "orders: \(problem)\n\n\(Invocation.usage)" }
  }

  static let usage = """
    usage: orders [trial|bare] [--engine ENGINE] [--orders N] [--workers N] [--at-once N] [--kills N]
           orders shop|worker|warehouse --engine ENGINE --home FOLDER [--name NAME] [--orders N]
           orders work --home FOLDER [--engine folder:PATH]
                       [--show KEY|--retry KEY|--dismiss KEY|--pause CUSTOMER|--resume CUSTOMER]

    ENGINE is folder:PATH, redis:PORT or postgres:CONNECTION-STRING; for a trial folder, redis or postgres, whose
    server the trial starts and kills itself. A bare trial has no processes: it measures the engine alone. What waits
    in a folder is shown by orders work; Redis and PostgreSQL show it by their own commands.
    """

  var command = Command.trial
  var engine = "folder"
  var home = ""
  var name = "worker"
  var orders = 60
  var workers = 2
  /// The largest number of orders in transit.
  var atOnce = 256
  var kills = 0
  /// The entry that is shown.
  var shown: String?
  /// What the shop is asked for.
  var change: WorkCommand.Change?

  init(_ arguments: [String]) throws {
    var words = arguments[...]
    if let first = words.first, let command = Command(rawValue: first) {
      self.command = command
      words.removeFirst()
    }
    var given: Set<String> = []
    while let option = words.popFirst() {
      guard option.hasPrefix("--") else { throw Unusable(problem: "'\(option)' is not understood") }
      guard let value = words.popFirst() else { throw Unusable(problem: "\(option) needs a value") }
      // One of these at a time.
      let asks = ["--show", "--retry", "--dismiss", "--pause", "--resume"].contains(option)
      guard given.insert(asks ? "--show" : option).inserted else {
        throw Unusable(problem: "\(option) is one too many")
      }
      switch option {
      case "--engine": engine = value
      case "--home": home = value
      case "--name": name = value
      case "--orders": orders = try Self.number(value, for: option, from: 1)
      case "--workers": workers = try Self.number(value, for: option, from: 1)
      case "--at-once": atOnce = try Self.number(value, for: option, from: 1)
      case "--kills": kills = try Self.number(value, for: option, from: 0)
      case "--show" where command == .work: shown = value
      case "--retry" where command == .work: change = .retry(value)
      case "--dismiss" where command == .work: change = .dismiss(value)
      case "--pause" where command == .work: change = .pause(lane: value)
      case "--resume" where command == .work: change = .resume(lane: value)
      default: throw Unusable(problem: "there is no option \(option)")
      }
    }
    let kinds = command == .work ? ["folder"] : ["folder", "redis", "postgres"]
    let isChosen = isTrial || command == .work
    guard kinds.contains(where: { engine.hasPrefix($0 + ":") }) || isChosen && kinds.contains(engine) else {
      throw Unusable(problem: "'\(engine)' is no engine for the \(command.rawValue)")
    }
    if !isTrial, home.isEmpty { throw Unusable(problem: "\(command.rawValue) needs --home") }
  }

  /// Whether the program starts other processes, or only measures.
  var isTrial: Bool { command == .trial || command == .bare }

  private static func number(_ text: String, for option: String, from least: Int) throws -> Int {
    guard let number = Int(text), number >= least else {
      throw Unusable(problem: "\(option) needs a number from \(least), not '\(text)'")
    }
    return number
  }
}
