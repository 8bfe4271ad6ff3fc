import Foundation
import HostileServer
import Millrace
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

@Suite(.stopsServers, .serialized, .timeLimit(.minutes(30))) struct HTTPDownloadEffectTests: TransfersByHand {
  let folder: TemporaryFolder
  let sent = Recorder<HTTPDownloadEvent>()

  private static let large = TestSize.count(1_234_567, full: 12_345_678)

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "a body of any size is in the file, byte for byte, and progress is told at most a hundred times",
    arguments: [
      (0, true), (1, true), (50, true), (large, true), (0, false), (1, false), (large, false),
    ])
  func whole(size: Int, isAnnounced: Bool) async throws {
    let bytes = variedBytes(size)
    let server = try LoopbackServer(body: bytes, isAnnounced: isAnnounced)
    let download = download(server)
    #expect(await run(download) == nil)
    #expect(try areEqual(folder.read("file"), Data(bytes)))
    #expect(folder.names == ["file"])
    #expect(finish?.response.status == 200 && finish?.received == size)
    #expect(sent.count == progress.count + 1)
    #expect(progress.count <= 100)
    #expect(progress.allSatisfy { $0.total == (isAnnounced ? size : nil) })
    #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.completed < $1.completed })
    if isAnnounced, size > 0 { #expect(progress.last?.fraction == 1) }
    try await server.allClosed()
  }

  @Test("a download whose progress the state takes no more writes nothing more, and no file")
  func unwanted() async throws {
    let server = try LoopbackServer(body: [UInt8](repeating: 65, count: 1_000_000))
    let (effect, reported) = (HTTPDownloadEffect(client: .untimed()), Lock(0))
    await #expect(throws: HTTPDownloadFailure.loading(.cancelled)) {
      try await effect.run(
        download(server),
        send: Send { _ in
          reported.withLock { $0 += 1 }
          return .fenced
        })
    }
    #expect(reported.withLock { $0 } == 1 && folder.names.isEmpty)
    try await server.allClosed()
  }

  @Test("a file that is there is replaced when its download is whole, and not before")
  func replaced() async throws {
    try folder.write(Data("old".utf8), to: "file")
    let gate = ThreadGate()
    let server = try LoopbackServer { connection in
      guard connection.readHead() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n")
      connection.write([UInt8](repeating: 65, count: 100_000))
      gate.wait()
      connection.write([UInt8](repeating: 65, count: 100_000))
    }
    let download = download(server)
    let running = Task { await run(download) }
    try await sent.values(atLeast: 1)
    #expect(try folder.read("file") == Data("old".utf8))
    #expect(folder.names.count == 2)
    gate.open()
    #expect(await running.value == nil)
    #expect(try folder.read("file").count == 200_000)
    #expect(folder.names == ["file"])
  }

  @Test(
    "a download that fails leaves what was there, and nothing else",
    arguments: [
      ("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhello", HTTPFailure.cutOff(received: 5, expected: 20)),
      ("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n", .bodyTooLarge(limit: 1_000)),
      (
        page("gone", status: "404 Not Found"),
        .statusNotAccepted(status: 404, headers: ["content-length": "4"], excerpt: "gone")
      ),
    ])
  func failed(answer: String, failure: HTTPFailure) async throws {
    try folder.write(Data("old".utf8), to: "file")
    let server = try LoopbackServer(answering: { _ in answer })
    var download = download(server)
    download.request.largestBody = 1_000
    let actual = try #require(await run(download))
    #expect(actual.loading == failure)
    #expect(actual.isTransient == failure.isTransient)
    #expect(try folder.read("file") == Data("old".utf8))
    #expect(folder.names == ["file"])
  }

  @Test(
    "a file that cannot be made or named is told with its path and the reason",
    arguments: [
      ("nowhere/file", ENOENT), ("plain/file", ENOTDIR), ("folder", EISDIR),
    ])
  func unwritable(name: String, errorNumber: Int32) async throws {
    try folder.write(Data(), to: "plain")
    try FileManager.default.createDirectory(atPath: folder.file("folder"), withIntermediateDirectories: false)
    let server = try LoopbackServer(answering: { _ in page() })
    let failure = await run(download(server, to: name))
    #expect(failure == .writing(path: folder.file(name), errorNumber: errorNumber))
    #expect(failure?.isTransient == false)
    #expect(folder.names == ["folder", "plain"])
    try await server.allClosed()
  }

  @Test(
    "a download that leaves the state closes its connection, removes what has come, and tells nothing more")
  func left() async throws {
    let server = try LoopbackServer(
      pausingAfter: "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + String(repeating: "A", count: 100))
    let store = Store<Set<HTTPDownloadRequest>, HTTPDownloadEvent?>(
      initialState: [download(server)], on: .immediate
    ) { [sent] state, event in
      if let event { sent.append(event) } else { state = [] }
    }
    store.connect(HTTPDownloadEffect(client: .untimed()), to: \.self, action: { $0 })
    try await sent.values(atLeast: 1)
    #expect(folder.names.count == 1)
    store.dispatch(nil)
    try await server.allClosed()
    await store.settled()
    #expect(folder.names.isEmpty)
    #expect(progress.count == sent.count)
    #expect(store.activity.entries.flatMap(\.work).isEmpty)
  }

  @Test("two downloads to one file follow each other")
  func identity() {
    let effect = HTTPDownloadEffect(client: .untimed())
    let first = HTTPDownloadRequest(HTTPRequest("http://a/"), to: "/x")
    let second = HTTPDownloadRequest(HTTPRequest("http://b/"), to: "/x")
    #expect(effect.id(of: first) == effect.id(of: second))
    #expect(effect.replacement == .restart)
  }

  @Test("a version that is still the same leaves the file as it is", arguments: [false, true])
  func notModified(resumes: Bool) async throws {
    try folder.write(Data("old".utf8), to: "file")
    let server = try LoopbackServer(answering: { _ in "HTTP/1.1 304 Same\r\nETag: \"v1\"\r\n\r\n" })
    var download = download(server, resumes: resumes)
    download.request.known = HTTPValidator(entityTag: "\"v1\"")
    #expect(await run(download) == nil)
    #expect(finish?.response.isNotModified == true && finish?.received == 0)
    #expect(try folder.read("file") == Data("old".utf8))
    #expect(folder.names == ["file"])
  }
}
