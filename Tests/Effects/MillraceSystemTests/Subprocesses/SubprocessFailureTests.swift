import MillraceSystem
import Testing

@Suite("Failures of subprocesses in words")
struct SubprocessFailureTests {
  @Test(
    arguments: [
      (.notFound("lss"), "no such program: lss"),
      (.notExecutable(path: "/a\n"), "cannot be run by this system or user: /a\\n"),
      (.noWorkingDirectory("/b"), "no such working directory: /b"),
      (
        .unreadableInput(path: "/c", errorNumber: 2),
        "its input cannot be opened, No such file or directory: /c"
      ),
      (.notPassable("a=\0"), "cannot be passed to a program: a=\\u{0}"),
      (.notStarted(errorNumber: 12), "not started: Cannot allocate memory"),
      (.outputTooLarge(limit: 10), "wrote more than 10 bytes, and was ended"),
      (
        .unsuccessful(.exited(status: 2), lastErrors: ["usage: ls", "bad option"]),
        "exited with status 2: bad option"
      ),
      (.unsuccessful(.killed(signal: 9), lastErrors: []), "killed by signal 9"),
      (.timedOut, "took longer than it may"),
      (.statusLost, "ended with an unknown status, which this process ignores or has taken elsewhere"),
    ] as [(SubprocessFailure, String)])
  func words(_ failure: SubprocessFailure, _ text: String) { #expect("\(failure)" == text) }
}
