import Foundation
import MillraceCoverage

/// The command `millrace`: what tests have seen of the requests of a program.
let usage = """
  usage: millrace coverage <file>

  Prints which requests, outcomes and failures of the effects that tests connected no test has produced. The file is
  written by tests that run with MILLRACE_COVERAGE=<file> in their environment; it grows with each run.
  """

func stop(_ message: String) -> Never {
  FileHandle.standardError.write(Data("millrace: \(message)\n".utf8))
  exit(2)
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch (arguments.first, arguments.count) {
case ("--help", 1), ("-h", 1), (nil, 0): print(usage)
case ("coverage", 2):
  do {
    print(try RequestCoverage(contentsOfFile: arguments[1]).report)
  } catch {
    stop("\(error)")
  }
default: stop("'\(arguments.joined(separator: " "))' is not a command\n\n\(usage)")
}
