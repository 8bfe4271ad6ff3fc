import Foundation
import Millrace
import MillraceSystem
import MillraceTesting
import TestSupport
import Testing

@Suite struct GroupGuardTests {
  private let process = ProcessRun()

  @Test("a guarded program runs, gets signals and ends as any other, and its guard with it")
  func guarded() async throws {
    try await process.run(ProcessRun.guarded("ps -o pgid= -p $$; exit 3"))
    #expect(process.termination == .exited(status: 3))
    let group = try #require(Int32(process.lines()[0].trimmingCharacters(in: .whitespaces)))
    #expect(group != process.processID && kill(-group, 0) == -1)
    let other = ProcessRun()
    let run = other.start(
      ProcessRun.guarded("trap 'echo asked; exit 0' TERM; echo ready; while :; do sleep 0.01; done"))
    try await other.sent.values(atLeast: 2)
    run.cancel()
    try? await run.value
    #expect(other.lines().contains("asked") || other.termination == .exited(status: 0))
  }

  @Test("a program that cannot be started leaves no guard")
  func refused() async throws {
    let folder = try TemporaryFolder()
    try folder.write(Data("no program".utf8), to: "program")
    #expect(chmod(folder.file("program"), 0o755) == 0)
    var request = SubprocessRequest(1, folder.file("program"))
    request.diesWithParent = true
    #expect(request != SubprocessRequest(1, folder.file("program")))
    await #expect(throws: SubprocessFailure.notExecutable(path: folder.file("program"))) {
      try await process.run(request)
    }
  }
}
