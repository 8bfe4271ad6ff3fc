import Foundation
import Millrace
import MillraceTesting
import TestSupport
import Testing

@testable import MillraceSystem

@Suite struct GroupGuardTests {
  private let process = ProcessRun()

  private func request(_ script: String) -> SubprocessRequest<Int> {
    var request = ProcessRun.shell(script)
    request.diesWithParent = true
    return request
  }

  @Test("once nobody holds the pipe of the guard, as when this process is killed, its whole group is killed")
  func killed() async throws {
    let started = try await SpawnedProcess.start(request("trap '' TERM HUP; sleep 1000 & echo $!; wait"))
    let run = SubprocessRun(
      started, request(""), clock: process.clock, send: .recording(into: process.sent))
    let finishing = Task { try await run.finished() }
    let child = try #require(Int32(try await process.lines(afterEvents: 2)[0]))
    // Replaces our end of the pipe, which closes it and keeps its number.
    let groupGuard = try #require(started.groupGuard)
    let null = try Descriptor.reading("/dev/null")
    #expect(dup2(null.number, groupGuard.pipe.number) != -1)
    null.close()
    #expect(try await finishing.value == .killed(signal: SIGKILL))
    try await ProcessRun.gone(child)
    #expect(!ProcessRun.isThere(groupGuard.id))
  }

  @Test("a guarded program runs, gets signals and ends as any other, and its guard with it")
  func guarded() async throws {
    try await process.run(request("ps -o pgid= -p $$; exit 3"))
    #expect(process.termination == .exited(status: 3))
    let group = try #require(Int32(process.lines()[0].trimmingCharacters(in: .whitespaces)))
    #expect(group != process.processID && kill(-group, 0) == -1)
    let other = ProcessRun()
    let run = other.start(request("trap 'echo asked; exit 0' TERM; echo ready; while :; do sleep 0.01; done"))
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
