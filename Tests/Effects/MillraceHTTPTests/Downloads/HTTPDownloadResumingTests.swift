import Foundation
import HostileServer
import Millrace
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

/// Downloads that go on where an earlier one has ended.
@Suite(.stopsServers, .serialized, .timeLimit(.minutes(30))) struct HTTPDownloadResumingTests: TransfersByHand
{
  let folder: TemporaryFolder
  let sent = Recorder<HTTPDownloadEvent>()
  private let heads = Recorder<String>()

  init() throws { folder = try TemporaryFolder() }

  private static let bytes = variedBytes(200_000)

  /// How a server serves the file.
  private struct Serving: Sendable {
    var tag: String? = "\"v1\""
    /// After how many bytes it closes.
    var cut: Int?
    var fields = ""
    /// What it answers to a range instead of the range.
    var answer: String?
  }

  /// A server that serves each connection in its own way, and records what ranges it is asked for.
  private func server(_ servings: Serving...) throws -> LoopbackServer {
    let before = heads.count
    return try LoopbackServer { [heads] connection in
      guard let head = connection.readHead()?.lowercased() else { return }
      heads.append(head)
      let serving = servings[min(heads.count - before, servings.count) - 1]
      let tag = serving.tag.map { "ETag: \($0)\r\n" } ?? ""
      var first = 0
      if let range = head.firstRange(of: "\r\nrange: bytes=") {
        first = Int(head[range.upperBound...].prefix { $0 != "-" }) ?? 0
        if let answer = serving.answer {
          _ = connection.write(answer)
          return
        }
        let isSame = serving.tag.map { head.contains("\r\nif-range: \($0)\r\n") } ?? false
        if !isSame { first = 0 }
      }
      let rest = Self.bytes[first...]
      let range = first == 0 ? "200 OK\r\n" : "206 Part\r\nContent-Range: bytes \(first)-199999/200000\r\n"
      connection.write("HTTP/1.1 \(range)\(tag)\(serving.fields)Content-Length: \(rest.count)\r\n\r\n")
      connection.write(Array(rest.prefix(serving.cut.map { $0 - first } ?? rest.count)))
    }
  }

  @Test("a download that was cut goes on where it ended, and tells its progress of the whole")
  func resumed() async throws {
    let server = try server(Serving(cut: 70_000), Serving(cut: 150_000), Serving())
    let download = download(server, resumes: true)
    #expect(await run(download) == .loading(.cutOff(received: 70_000, expected: 200_000)))
    #expect(folder.names == ["file.part", "file.part-of"])
    #expect(await run(download) == .loading(.cutOff(received: 80_000, expected: 130_000)))
    #expect(await run(download) == nil)
    #expect(try areEqual(folder.read("file"), Data(Self.bytes)))
    #expect(folder.names == ["file"])
    #expect(heads.values.map { $0.contains("\r\nrange: ") } == [false, true, true])
    #expect(
      heads.values[2].contains("\r\nrange: bytes=150000-\r\nif-range: \"v1\"\r\n")
        || heads.values[2].contains("\r\nif-range: \"v1\"\r\nrange: bytes=150000-\r\n"))
    #expect(heads.values.allSatisfy { $0.contains("\r\naccept-encoding: identity\r\n") })
    #expect(finish?.received == 200_000)
    #expect(progress.allSatisfy { $0.total == 200_000 })
    #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.completed < $1.completed })
  }

  @Test("a download in a task that ends keeps what has come, too")
  func resumedAfterCancellation() async throws {
    let server = try LoopbackServer { connection in
      guard let head = connection.readHead()?.lowercased() else { return }
      let first = head.contains("\r\nrange: ") ? 70_000 : 0
      let range = first == 0 ? "200 OK" : "206 Part\r\nContent-Range: bytes 70000-199999/200000"
      connection.write("HTTP/1.1 \(range)\r\nETag: \"v1\"\r\nContent-Length: \(200_000 - first)\r\n\r\n")
      connection.write(Array(Self.bytes[first..<(first == 0 ? 70_000 : 200_000)]))
      if first == 0 { connection.waitForClose() }
    }
    let download = download(server, resumes: true)
    let running = Task { await run(download) }
    try await eventually { (try? folder.read("file.part").count) == 70_000 }
    running.cancel()
    #expect(await running.value == .loading(.cancelled))
    #expect(await run(download) == nil)
    #expect(try areEqual(folder.read("file"), Data(Self.bytes)))
  }

  @Test("a download starts over if the version has changed, or if the server knows no ranges")
  func startedOver() async throws {
    for serving in [Serving(tag: "\"v2\""), Serving(tag: nil)] {
      let server = try server(Serving(cut: 70_000), serving)
      let download = download(server, resumes: true)
      #expect(await run(download)?.isTransient == true)
      #expect(await run(download) == nil)
      #expect(try areEqual(folder.read("file"), Data(Self.bytes)))
      #expect(folder.names == ["file"])
      #expect(heads.values.last?.contains("\r\nif-range: \"v1\"\r\n") == true)
    }
  }

  @Test(
    "of a version that cannot be told apart nothing is kept",
    arguments: [(nil, ""), ("W/\"v1\"", ""), ("\"v1\"", "Content-Encoding: gzip\r\n")] as [(String?, String)])
  func notResumable(tag: String?, fields: String) async throws {
    let server = try server(Serving(tag: tag, cut: 70_000, fields: fields))
    #expect(await run(download(server, resumes: true)) != nil)
    #expect(folder.names.isEmpty)
  }

  @Test("what is there of another address, or with a damaged note, is not gone on with")
  func foreignParts() async throws {
    for note in ["", "millrace download 1\nhttp://other/\n\"v1\"\n", "millrace download 1\nURL\n\"v1\"", "x"]
    {
      let server = try server(Serving())
      try folder.write(Data("foreign".utf8), to: "file.part")
      try folder.write(Data(note.replacing("URL", with: server.url()).utf8), to: "file.part-of")
      #expect(await run(download(server, resumes: true)) == nil)
      #expect(try areEqual(folder.read("file"), Data(Self.bytes)))
      #expect(heads.values.allSatisfy { !$0.contains("\r\nrange: ") })
      #expect(folder.names == ["file"])
    }
  }

  @Test("a note that cannot be read is told, and the bytes that it is about stay")
  func unreadableNote() async throws {
    let server = try server(Serving())
    try folder.write(Data("received".utf8), to: "file.part")
    try FileManager.default.createDirectory(
      atPath: folder.file("file.part-of"), withIntermediateDirectories: false)
    let failure = HTTPDownloadFailure.writing(path: folder.file("file.part-of"), errorNumber: EISDIR)
    #expect(await run(download(server, resumes: true)) == failure)
    #expect(try folder.read("file.part") == Data("received".utf8))
    #expect(heads.values.isEmpty)
  }

  @Test("a range that cannot be satisfied has the download start over at once")
  func unsatisfiable() async throws {
    let server = try server(
      Serving(cut: 70_000), Serving(answer: "HTTP/1.1 416 No\r\nContent-Length: 0\r\n\r\n"), Serving())
    let download = download(server, resumes: true)
    #expect(await run(download)?.isTransient == true)
    #expect(await run(download) == nil)
    #expect(heads.values.map { $0.contains("\r\nrange: ") } == [false, true, false])
    #expect(try areEqual(folder.read("file"), Data(Self.bytes)))
  }

  @Test(
    "a part that is not the one that was asked for is refused, and nothing of it is kept",
    arguments: [
      "Content-Range: bytes 0-199999/200000\r\nETag: \"v1\"\r\n",
      "Content-Range: bytes 70000-199999/200000\r\nETag: \"v2\"\r\n",
      "ETag: \"v1\"\r\n", "Content-Range: bytes 70000-199999/200000\r\nContent-Encoding: gzip\r\n",
    ])
  func wrongPart(fields: String) async throws {
    let answer = "HTTP/1.1 206 Part\r\n\(fields)Content-Length: 5\r\n\r\nhello"
    let server = try server(Serving(cut: 70_000), Serving(answer: answer))
    let download = download(server, resumes: true)
    #expect(await run(download)?.isTransient == true)
    #expect(await run(download)?.loading?.isNotHTTP == true)
    #expect(folder.names.isEmpty)
  }

  @Test("a server that sends less of the rest than there is has the download go on, and makes no half file")
  func partOfRest() async throws {
    let server = try LoopbackServer { connection in
      guard let head = connection.readHead()?.lowercased() else { return }
      var (status, first, count) = ("200 OK", 0, 70_000)
      if let range = head.firstRange(of: "\r\nrange: bytes=") {
        first = Int(head[range.upperBound...].prefix { $0 != "-" }) ?? 0
        count = min(100_000, 200_000 - first)
        status = "206 Part\r\nContent-Range: bytes \(first)-\(first + count - 1)/200000"
      }
      connection.write("HTTP/1.1 \(status)\r\nETag: \"v1\"\r\n")
      connection.write("Content-Length: \(first == 0 ? 200_000 : count)\r\n\r\n")
      connection.write(Array(Self.bytes[first..<first + count]))
    }
    let download = download(server, resumes: true)
    #expect(await run(download) == .loading(.cutOff(received: 70_000, expected: 200_000)))
    #expect(await run(download) == .loading(.cutOff(received: 170_000, expected: 200_000)))
    #expect(folder.names == ["file.part", "file.part-of"])
    #expect(await run(download) == nil)
    #expect(try areEqual(folder.read("file"), Data(Self.bytes)))
  }

  @Test("the largest body counts what was there before")
  func resumedTooLarge() async throws {
    let server = try server(Serving(cut: 70_000), Serving())
    var download = download(server, resumes: true)
    download.request.largestBody = 200_000
    #expect(await run(download)?.isTransient == true)
    download.request.largestBody = 199_999
    #expect(await run(download) == .loading(.bodyTooLarge(limit: 199_999)))
    #expect(folder.names.isEmpty)
  }

  @Test("two downloads that resume to one file exclude each other, and a link is not followed")
  func excluded() async throws {
    let server = try LoopbackServer(
      pausingAfter: "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 9\r\n\r\nhello")
    let download = download(server, resumes: true)
    let running = Task { await run(download) }
    try await eventually { (try? folder.read("file.part").count) == 5 }
    #expect(await run(download) == .writing(path: folder.file("file"), errorNumber: EWOULDBLOCK))
    running.cancel()
    _ = await running.value
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("other.part"), withDestinationPath: folder.file("target"))
    var other = download
    other.file = folder.file("other")
    #expect(await run(other) == .writing(path: other.file, errorNumber: ELOOP))
    mkfifo(folder.file("third.part"), 0o600)
    other.file = folder.file("third")
    #expect(await run(other) == .writing(path: other.file, errorNumber: EEXIST))
  }
}
