import Foundation

/// `rides`: exit code 0, or 2 for a wrong command line or script.
@main enum RidesCommand {
  static func main() async {
    do {
      switch try Invocation.parse(Array(CommandLine.arguments.dropFirst())) {
      case .help: print(Invocation.usage)
      case .play(let path): try await play(try script(at: path))
      }
    } catch {
      FileHandle.standardError.write(Data("rides: \(error)\n".utf8))
      exit(2)
    }
  }

  private static func script(at path: String?) throws -> Script {
    guard let path else { return try Script(Script.day) }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw Invocation.Invalid(description: "cannot read '\(path)'")
    }
    return try Script(text)
  }

  private static func play(_ script: Script) async throws {
    let left = try await Session(world: City()) { print($0) }.run(script).left
    print("the end: \(left)")
  }
}
