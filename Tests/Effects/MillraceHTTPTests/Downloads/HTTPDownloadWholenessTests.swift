import Foundation
import HostileServer
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

/// What a server may send, and whether the file is whole then.
@Suite(.stopsServers, .serialized, .timeLimit(.minutes(30)))
struct HTTPDownloadWholenessTests: TransfersByHand {
  let folder: TemporaryFolder
  let sent = Recorder<HTTPDownloadEvent>()

  init() throws { folder = try TemporaryFolder() }

  /// A server that answers a request for a range with `part`, and others with the first five of ten bytes.
  private func server(_ part: String, _ heads: Recorder<String> = Recorder()) throws -> LoopbackServer {
    try LoopbackServer { connection in
      guard let head = connection.readHead()?.lowercased() else { return }
      heads.append(head)
      connection.write(
        head.contains("\r\nrange: ")
          ? part : "HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: 10\r\n\r\n01234")
    }
  }

  @Test(
    "a part of the file that nobody asked for is not the file",
    arguments: ["Content-Range: bytes 0-4/10\r\n", "Content-Range: bytes 0-4/5\r\n", ""])
  func unasked(field: String) async throws {
    let server = try LoopbackServer(answering: { _ in
      "HTTP/1.1 206 Part\r\n\(field)Content-Length: 5\r\n\r\n01234"
    })
    #expect(await run(download(server))?.loading?.isNotHTTP == true)
    #expect(folder.names == [])
  }

  @Test(
    "a resumed download whose server does not say how long the file is starts over, and is not whole before")
  func unknownLength() async throws {
    let heads = Recorder<String>()
    let part = "HTTP/1.1 206 Part\r\nETag: \"v\"\r\nContent-Range: bytes 5-6/*\r\nContent-Length: 2\r\n\r\n56"
    let server = try server(part, heads)
    let download = download(server, resumes: true)
    let cut = HTTPDownloadFailure.loading(.cutOff(received: 5, expected: 10))
    #expect(await run(download) == cut)
    #expect(await run(download) == cut)
    #expect(heads.values.map { $0.contains("\r\nrange: ") } == [false, true, false])
    #expect(folder.names == ["file.part", "file.part-of"])
    #expect(!sent.values.contains { if case .finished = $0 { true } else { false } })
  }

  @Test(
    "a resumed part that is longer than it says, or than the file, is not appended to it",
    arguments: [
      "Content-Range: bytes 5-9/10\r\n\r\n56789x", "Content-Range: bytes 5-7/10\r\n\r\n56789",
      "Content-Range: bytes 5-9/10\r\nContent-Length: 7\r\n\r\n56789xy",
      "Content-Range: bytes 5-10/10\r\nContent-Length: 6\r\n\r\n56789x",
      "Content-Range: bytes 9-5/10\r\nContent-Length: 5\r\n\r\n56789", "Content-Range: 5-9/10\r\n\r\n56789",
      "Content-Range: bytes 5-9\r\n\r\n56789",
    ])
  func tooLong(rest: String) async throws {
    let server = try server("HTTP/1.1 206 Part\r\nETag: \"v\"\r\n" + rest)
    let download = download(server, resumes: true)
    #expect(await run(download) == .loading(.cutOff(received: 5, expected: 10)))
    #expect(await run(download)?.loading?.isNotHTTP == true)
    #expect(folder.names == [])
  }

  @Test("a resumed part without a length ends where its range does")
  func closedPart() async throws {
    let server = try server("HTTP/1.1 206 Part\r\nContent-Range: bytes 5-9/10\r\n\r\n56789")
    let download = download(server, resumes: true)
    #expect(await run(download) == .loading(.cutOff(received: 5, expected: 10)))
    #expect(await run(download) == nil)
    #expect(try folder.read("file") == Data("0123456789".utf8))
  }

  @Test("a part that the request itself asks for is the file, if it is whole")
  func ownRange() async throws {
    for (rest, failure) in [
      ("Content-Range: bytes 2-4/10\r\n\r\n234", nil),
      ("Content-Range: bytes 2-4/*\r\n\r\n234", nil),
      ("Content-Range: bytes 2-4/10\r\n\r\n23", .loading(.cutOff(received: 2, expected: 3))),
      (
        "Content-Range: bytes 2-4/10\r\n\r\n2345",
        .loading(.notHTTP("it sends more of the file than it says"))
      ),
    ] as [(String, HTTPDownloadFailure?)] {
      let server = try server("HTTP/1.1 206 Part\r\n" + rest)
      var download = download(server, resumes: true)
      download.request.headers["range"] = "bytes=2-4"
      #expect(await run(download) == failure, "\(rest)")
      #expect(folder.names == (failure == nil ? ["file"] : []), "\(rest)")
      if failure == nil { #expect(try folder.read("file") == Data("234".utf8)) }
      try? FileManager.default.removeItem(atPath: folder.file("file"))
    }
  }
}
