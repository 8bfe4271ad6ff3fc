import Foundation

/// `manytimers`: exit code 0, 1 if something was lost under load, 2 for a wrong command line.
@main enum ManyTimersCommand {
  static func main() async {
    do {
      switch try Invocation.parse(Array(CommandLine.arguments.dropFirst())) {
      case .help: print(Invocation.usage)
      case .list: try await list()
      case .documents: await DocumentSession.run { print($0) }
      case .load(let load): await run(load)
      }
    } catch {
      FileHandle.standardError.write(Data("manytimers: \(error)\n".utf8))
      exit(2)
    }
  }

  private static func list() async throws {
    if Terminal.isInteractive, let terminal = Terminal() {
      defer { terminal.close() }
      try await LiveList.run(on: terminal)
    } else {
      try await PlainSession { print($0) }.run()
    }
  }

  private static func run(_ load: LoadRun) async {
    let result = await load.run()
    for line in LoadReport.lines(of: result) { print(line) }
    if !result.faults.isEmpty { exit(1) }
  }
}
