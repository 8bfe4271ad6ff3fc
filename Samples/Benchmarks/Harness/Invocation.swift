/// The options of the command line.
struct Invocation {
  enum Mode { case run, list, help }

  var mode = Mode.run
  var isJSON = false
  /// The prefix of the cases to run.
  var prefix = ""
  var effort = Effort()
  /// Whether workloads are compared with their baselines.
  var comparesWithBaselines = true

  static let usage = """
    usage: benchmarks [options]

    Measures the runtime beside physical baselines of the same run.

      --only PREFIX    only the benchmarks whose names begin with PREFIX, or the one called so
      --quick          one short pass of each, to see that all work
      --passes N       passes of each; 7 by default
      --scale X        multiplies the work of a pass; 1 by default
      --no-baselines   leaves out what a benchmark is compared with, for profilers
      --json           one JSON object a line
      --list           lists the benchmarks and their units
      --help           this text
    """

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--only":
        prefix = try Self.value(of: argument, from: &rest, "a prefix") { $0 }
      case "--quick":
        effort = .quick
      case "--passes":
        effort.passes = try Self.value(of: argument, from: &rest, "a number above 0") {
          Int($0).flatMap { $0 > 0 ? $0 : nil }
        }
      case "--scale":
        effort.scale = try Self.value(of: argument, from: &rest, "a number above 0") {
          Double($0).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        }
      case "--no-baselines":
        comparesWithBaselines = false
      case "--json":
        isJSON = true
      case "--list":
        mode = .list
      case "--help", "-h":
        mode = .help
      default:
        throw UsageError(description: "unknown argument '\(argument)'")
      }
    }
  }

  private static func value<Value>(
    of option: String, from rest: inout ArraySlice<String>, _ expected: String, _ parse: (String) -> Value?
  ) throws(UsageError) -> Value {
    guard let text = rest.popFirst() else {
      throw UsageError(description: "\(option) needs \(expected)")
    }
    guard let value = parse(text) else {
      throw UsageError(description: "\(option) needs \(expected), not '\(text)'")
    }
    return value
  }
}

/// A command line that is invalid.
struct UsageError: Error, CustomStringConvertible {
  let description: String
}
