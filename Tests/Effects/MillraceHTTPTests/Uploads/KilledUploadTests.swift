import Foundation
import HostileServer
import MillraceHTTP
import MillraceTesting
import SampleProgram
import TestSupport
import Testing

@Suite(.stopsServers, .serialized, .timeLimit(.minutes(30))) struct KilledUploadTests: TransfersByHand {
  let folder: TemporaryFolder
  let sent = Recorder<HTTPUploadEvent>()

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "killed again and again, an upload goes on where the server is, which accepts each byte once",
    arguments: HTTPUploadResumption.allWays)
  func killed(way: HTTPUploadResumption) async throws {
    let bytes = try write(1_000_000)
    let server = try UploadServer()
    let (unseen, output) = try await onOwnThread { [folder] in
      var random = SystemRandomNumberGenerator()
      var unseen = 0
      let program = Program(name: "httpprobe")
      for round in 0..<TestSize.count(3, full: 100) {
        let child = program.process([server.url(), folder.file("file"), way.rawValue])
        // Not the whole file in all rounds together: the next round would begin another upload.
        let goal = server.acceptedCount + Int.random(in: 1...9_000, using: &random)
        server.hold(atCount: goal)
        child.standardOutput = FileHandle.nullDevice
        try child.run()
        if round < 2 || Int.random(in: 0..<4, using: &random) > 0 {
          var isNoted: Bool { (try? folder.read("file.upload-of").isEmpty) == false }
          while server.acceptedCount < goal || !isNoted, child.isRunning { poll(nil, 0, 1) }
        } else {
          // Before it has begun, or while it begins.
          unseen += 1
          for _ in 0..<Int.random(in: 0...20_000, using: &random) { sched_yield() }
        }
        kill(child.processIdentifier, SIGKILL)
        child.waitUntilExit()
        server.forgetConnections()
      }
      server.hold(atCount: nil)
      let child = program.process([server.url(), folder.file("file"), way.rawValue])
      let output = Pipe.uninherited()
      child.standardOutput = output
      try child.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      child.waitUntilExit()
      return (unseen, text)
    }
    #expect(output == "response \(way == .uploadResource ? 200 : 201)\n")
    #expect(areEqual(server.file, bytes))
    #expect(server.uploads.allSatisfy { $0.isContiguous })
    // Of a process that was killed before it had noted the address, an upload may be left behind.
    #expect((1...(1 + unseen)).contains(server.uploads.count), "\(server.uploads.count), \(unseen)")
    let parts = server.requests.count { $0.fields["content-length"] != "0" && $0.method != "HEAD" }
    #expect(parts >= TestSize.count(2, full: 5))
    #expect(folder.names == ["file"])
  }
}
