import Foundation

/// The words that the program was started with.
struct Invocation {
  enum Command: String {
    case shop, worker, warehouse, trial, bare
  }

  struct Unusable: Error, CustomStringConvertible { var description: String }

  static let usage = """
    usage: orders [trial|bare] [--engine ENGINE] [--orders N] [--workers N] [--at-once N] [--kills N]
           orders shop|worker|warehouse --engine ENGINE --home FOLDER [--name NAME] [--orders N]

    ENGINE is folder:PATH, redis:PORT or postgres:CONNECTION-STRING; for a trial folder, redis or postgres, whose
    server the trial starts and kills itself. A bare trial has no processes: it measures the engine alone.
    """

  var command = Command.trial
  var engine = "folder"
  var home = ""
  var name = "worker"
  var orders = 60
  var workers = 2
  /// How many orders may be on their way at once.
  var atOnce = 256
  var kills = 0

  init(_ arguments: [String]) throws {
    var words = arguments[...]
    if let first = words.first, let command = Command(rawValue: first) {
      self.command = command
      words.removeFirst()
    }
    while let option = words.popFirst() {
      guard let value = words.popFirst() else { throw Unusable(description: Self.usage) }
      switch (option, Int(value)) {
      case ("--engine", _): engine = value
      case ("--home", _): home = value
      case ("--name", _): name = value
      case ("--orders", let number?): orders = number
      case ("--workers", let number?): workers = number
      case ("--at-once", let number?): atOnce = number
      case ("--kills", let number?): kills = number
      default: throw Unusable(description: Self.usage)
      }
    }
  }
}
