import MillraceCollections
import Testing

@testable import timetravel

@Suite("Commands of the time travel") struct CommandTests {
  @Test(
    "a line is a command, by its word or its letter",
    arguments: [
      ("add  green tea ", .list(.change(.added("green tea")))), ("a tea", .list(.change(.added("tea")))),
      ("drop tea", .list(.change(.dropped("tea")))), ("find te", .list(.change(.searched("te")))),
      ("f", .list(.change(.searched("")))), ("<", .list(.back)), (">", .list(.forward)), ("l", .list(.live)),
      ("to 3", .list(.to(step: 3))), ("branch", .list(.branch)), ("h", .help), ("quit", .quit),
      ("to tea", .unknown("to tea")), ("add", .unknown("add")), ("< 2", .unknown("< 2")), ("", .unknown("")),
    ] as [(String, Command)])
  func commands(line: String, command: Command) {
    #expect(Command(line) == command)
  }
}
