import Foundation
import MillraceSystem
import MillraceTesting
import TestSupport
import Testing

@Suite("Bytes of names", .serialized, .timeLimit(.minutes(30)))
struct ExactBytesTests {
  private let accent = "\u{301}"
  private let composed = "\u{E9}"
  private let decomposed = "e\u{301}"

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("a slash is a slash, and a colon a colon, whatever mark follows")
  func paths() async throws {
    let folder = try TemporaryFolder()
    for name in ["\(accent)", "\(accent)folder"] {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
      try await folder.writeProgram("#!/bin/sh\necho \"$0\"\n", to: "\(name)/\(accent)tool")
    }
    let path = folder.file("\(accent)folder/\(accent)tool")
    let process = ProcessRun()
    try await process.run(SubprocessRequest(1, path))
    #expect(process.lines().map(bytes) == [bytes(path)])

    var request = SubprocessRequest(1, "\(accent)tool")
    request.environment = .exactly(["PATH": "\(folder.file("nowhere")):\(folder.file("\(accent)"))"])
    let other = ProcessRun()
    try await other.run(request)
    #expect(other.lines().map(bytes) == [bytes(folder.file("\(accent)/\(accent)tool"))])
    // A path, since there is a slash in it, and so not looked for in folders, where it would be found.
    let relative = "\(accent)/\(accent)tool"
    request.executable = relative
    request.environment = .exactly(["PATH": folder.file("")])
    await #expect(throws: SubprocessFailure.notFound(relative)) { try await ProcessRun().run(request) }
  }

  @Test("requests whose texts look alike and are other bytes are two requests")
  func requests() {
    let request = SubprocessRequest(1, composed, [composed])
    #expect(request == SubprocessRequest(1, composed, [composed]))
    #expect(request.hashValue == SubprocessRequest(1, composed, [composed]).hashValue)
    let changes: [(inout SubprocessRequest<Int>, String) -> Void] = [
      { $0.executable = $1 }, { $0.arguments = [$1] }, { $0.workingDirectory = $1 }, { $0.input = .file($1) },
      { $0.environment = .exactly([$1: "1"]) }, { $0.environment = .exactly(["A": $1]) },
      { $0.environment = .inheriting(changing: [$1: nil]) },
    ]
    for change in changes {
      var (one, other, same) = (request, request, request)
      change(&one, composed)
      change(&same, composed)
      change(&other, decomposed)
      #expect(one == same)
      #expect(one != other)
      #expect(Set([one, other, same]).count == 2)
    }
    var (one, other) = (request, request)
    other.mergesErrors = true
    #expect(one != other)
    (one.environment, other) = (.exactly([:]), one)
    #expect(one != other)
    (one.input, other) = (.live, one)
    #expect(one != other)
  }
}
