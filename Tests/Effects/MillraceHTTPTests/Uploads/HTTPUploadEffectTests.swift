import Foundation
import HostileServer
import Millrace
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

@Suite(.stopsServers, .serialized, .timeLimit(.minutes(30))) struct HTTPUploadEffectTests: TransfersByHand {
  let folder: TemporaryFolder
  let sent = Recorder<HTTPUploadEvent>()

  init() throws { folder = try TemporaryFolder() }

  private func upload(to server: LoopbackServer, method: String = "PUT") -> HTTPUploadRequest {
    HTTPUploadRequest(
      HTTPRequest(server.url("/up"), method: method, body: Data("not sent".utf8), timeout: nil),
      from: folder.file("file"))
  }

  @Test(
    "a file of any size arrives byte for byte, and progress is told at most a hundred times",
    arguments: [0, 1, 100, 300_001])
  func whole(size: Int) async throws {
    let bytes = try write(size)
    let arrived = Recorder<Bool>()
    let server = try LoopbackServer { connection in
      guard let head = connection.readHead() else { return }
      let isAnnounced = head.lowercased().contains("\r\ncontent-length: \(size)\r\n")
      arrived.append(head.hasPrefix("PUT /up ") && isAnnounced && connection.read(size) == bytes)
      connection.write(page("ok", status: "201 Created"))
    }
    let upload = upload(to: server)
    #expect(await run(upload) == nil)
    #expect(arrived.values == [true])
    #expect(response?.status == 201 && response?.body == Data("ok".utf8))
    #expect(sent.count == progress.count + 1)
    #expect(progress.count <= 100)
    #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.completed < $1.completed })
    if size > 0 { #expect(progress.last == HTTPProgress(completed: size, total: size)) }
    try await server.allClosed()
  }

  @Test(
    "a file that cannot be read is told with its path and the reason, and nobody is asked",
    arguments: [
      ("missing", ENOENT), ("folder", EISDIR), ("plain/file", ENOTDIR),
    ])
  func unreadable(name: String, errorNumber: Int32) async throws {
    try folder.write(Data(), to: "plain")
    try FileManager.default.createDirectory(atPath: folder.file("folder"), withIntermediateDirectories: false)
    let connections = Recorder<Void>()
    let server = try LoopbackServer { _ in connections.append(()) }
    var upload = upload(to: server)
    upload.file = folder.file(name)
    #expect(await run(upload) == .reading(path: upload.file, errorNumber: errorNumber))
    await server.stop()
    #expect(connections.count == 0)
  }

  @Test("a method that has no body is refused", arguments: ["GET", "HEAD"])
  func method(method: String) async throws {
    try folder.write(Data([1]), to: "file")
    let server = try LoopbackServer { _ in }
    #expect(await run(upload(to: server, method: method)) == .loading(.badField(method)))
  }

  @Test("a server that does not want the file is told by its status")
  func refused() async throws {
    try folder.write(Data([1]), to: "file")
    let server = try LoopbackServer { connection in
      guard connection.readHead() != nil else { return }
      _ = connection.read(1)
      connection.write(page("full", status: "507 Full"))
    }
    #expect(
      await run(upload(to: server))?.loading
        == .statusNotAccepted(status: 507, headers: ["content-length": "4"], excerpt: "full"))
  }

  @Test("a file is sent again where a redirect asks for it")
  func redirected() async throws {
    let bytes = try write(700_000)
    let arrived = Recorder<Bool>()
    let server = try LoopbackServer { connection in
      while let head = connection.readHead() {
        arrived.append(head.hasPrefix("PUT ") && connection.read(bytes.count) == bytes)
        connection.write(
          head.contains(" /up ")
            ? page("", status: "308 Elsewhere", "Location: /there\r\n") : page("", status: "201 Created"))
      }
    }
    #expect(await run(upload(to: server)) == nil)
    #expect(arrived.values == [true, true])
  }

  @Test("a file that becomes shorter while it is sent is told as one that cannot be read")
  func shortened() async throws {
    let size = 30_000_000
    try folder.write(Data(count: size), to: "file")
    let path = folder.file("file")
    let server = try LoopbackServer { connection in
      guard connection.readHead() != nil else { return }
      truncate(path, 1_000)
      connection.waitForClose()
    }
    #expect(await run(upload(to: server)) == .reading(path: path, errorNumber: EIO))
    try await server.allClosed()
  }

  @Test("an upload that leaves the state closes its connection, and tells nothing more")
  func left() async throws {
    try folder.write(Data(count: 30_000_000), to: "file")
    let reading = ThreadGate()
    let server = try LoopbackServer { connection in
      guard connection.readHead() != nil else { return }
      _ = connection.read(1_000_000)
      reading.wait()
      connection.waitForClose()
    }
    let store = Store<Set<HTTPUploadRequest>, HTTPUploadEvent?>(
      initialState: [upload(to: server)], on: .immediate
    ) {
      [sent] state, event in
      if let event { sent.append(event) } else { state = [] }
    }
    store.connect(HTTPUploadEffect(client: .untimed()), to: \.self, action: { $0 })
    try await sent.values(atLeast: 1)
    store.dispatch(nil)
    let count = sent.count
    reading.open()
    try await server.allClosed()
    await store.settled()
    #expect(sent.count == count)
    #expect(progress.count == count)
    #expect(store.activity.entries.flatMap(\.work).isEmpty)
  }
}
