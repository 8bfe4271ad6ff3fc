import Foundation
import HostileServer
import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

/// Uploads that go on where an earlier attempt has ended.
@Suite(.stopsServers, .serialized, .timeLimit(.minutes(30))) struct HTTPUploadResumingTests: TransfersByHand {
  let folder: TemporaryFolder
  let sent = Recorder<HTTPUploadEvent>()

  init() throws { folder = try TemporaryFolder() }

  private typealias Fault = UploadServer.Fault

  @Test("an upload that was cut goes on where the server is, and tells its progress of the whole")
  func resumed() async throws {
    let bytes = try write(200_000)
    let server = try UploadServer([.cut(after: 70_000), .none, .cut(after: 60_000)])
    let upload = upload(server.url(), headers: ["content-type": "image/png", "x-app": "1"])
    #expect(await run(upload)?.isTransient == true)
    #expect(folder.names == ["file", "file.upload-of"])
    #expect(await run(upload)?.isTransient == true)
    #expect(await run(upload) == nil)
    #expect(areEqual(server.file, bytes))
    #expect(folder.names == ["file"])
    #expect(server.methods == ["POST", "HEAD", "PATCH", "HEAD", "PATCH"])
    let part = "application/partial-upload"
    for (name, values) in [
      ("upload-draft-interop-version", ["8", "8", "8", "8", "8"]), ("x-app", ["1", "1", "1", "1", "1"]),
      ("upload-complete", ["?1", nil, "?1", nil, "?1"]),
      ("upload-offset", [nil, nil, "70000", nil, "130000"]),
      ("upload-length", ["200000", nil, "200000", nil, "200000"]),
      ("content-type", ["image/png", nil, part, nil, part]),
    ] { #expect(server.requests.map { $0.fields[name] } == values, "\(name)") }
    #expect(response?.status == 200)
    #expect(progress.allSatisfy { $0.total == 200_000 && $0.completed <= 200_000 })
    #expect(progress.last?.completed == 200_000)
  }

  @Test("by ranges an upload sends the whole file first, and then what the server says is missing")
  func byRanges() async throws {
    let bytes = try write(200_000)
    let server = try UploadServer([.cut(after: 70_000), .none, .cut(after: 60_000)])
    let upload = upload(server.url(), .contentRanges, headers: ["authorization": "Bearer 1"])
    #expect(await runs(upload) == (3, nil))
    #expect(areEqual(server.file, bytes))
    #expect(folder.names == ["file"])
    #expect(server.methods == Array(repeating: "PUT", count: 5))
    #expect(
      server.requests.map { $0.fields["content-range"] } == [
        "bytes 0-199999/200000", "bytes */200000", "bytes 70000-199999/200000", "bytes */200000",
        "bytes 130000-199999/200000",
      ])
    #expect(server.requests.allSatisfy { $0.fields["authorization"] == "Bearer 1" })
  }

  @Test(
    "cut at each byte, of the file or of an answer, an upload arrives once and whole",
    arguments: HTTPUploadResumption.allWays)
  func everyCut(way: HTTPUploadResumption) async throws {
    for size in TestSize.isFull ? [0, 1, 9] : [0, 2] {
      let bytes = try write(size)
      let answers = TestSize.some(2, of: Array(0...60))
      var cuts = answers.flatMap { count in
        [
          [Fault.cutAnswer(after: count)], [.cut(after: size / 2), .cutAnswer(after: count)],
          [.cut(after: size / 2), .none, .cutAnswer(after: count)],
        ]
      }
      for first in 0...size { cuts += (0...size).map { [.cut(after: first), .none, .cut(after: $0)] } }
      for faults in cuts {
        let server = try UploadServer(faults)
        let (count, failure) = await runs(upload(server.url(), way))
        #expect(failure == nil && count <= 3, "\(size) \(faults) \(count) \(String(describing: failure))")
        #expect(areEqual(server.file, bytes), "\(size) \(faults) \(server.uploads)")
        #expect(folder.names == ["file"])
      }
    }
  }

  @Test(
    "a server that is busy is asked by the next attempt, at each step",
    arguments: HTTPUploadResumption.allWays)
  func busy(way: HTTPUploadResumption) async throws {
    let bytes = try write(1_000)
    let server = try UploadServer([
      .status(503, after: 300), .status(503), .none, .status(500, after: 200), .none, .status(502, after: 0),
    ])
    let (count, failure) = await runs(upload(server.url(), way))
    #expect(failure == nil && count == 5)
    #expect(areEqual(server.file, bytes))
    #expect(server.uploads.count == 1)
  }

  @Test("a policy of attempts brings the file to the server in one run")
  func retried() async throws {
    let bytes = try write(100_000)
    let server = try UploadServer([
      .cut(after: 20_000), .none, .cut(after: 20_000), .none, .cut(after: 20_000),
    ])
    let clock = TestClock()
    let effect = HTTPUploadEffect(client: .untimed()).retried(
      times: 5, by: Backoff(first: .seconds(1), jitter: 0), clock: clock,
      when: { retry, _ in retry.failure.isTransient },
      action: { _, upload in .progressed(HTTPProgress(completed: 0), of: upload) })
    let store = Store<Set<HTTPUploadRequest>, HTTPUploadEvent>(initialState: [upload(server.url())]) {
      [sent] state, event in
      if case .progressed = event {} else { state = [] }
      sent.append(event)
    }
    store.connect(effect, to: \.self)
    for _ in 1...3 {
      try await clock.sleepers(atLeast: 1)
      clock.advanceToNextDeadline()
    }
    await store.settled()
    #expect(areEqual(server.file, bytes))
    #expect(sent.values.count { if case .response = $0 { true } else { false } } == 1)
    #expect(server.methods == ["POST", "HEAD", "PATCH", "HEAD", "PATCH", "HEAD", "PATCH"])
  }

  @Test("an upload that leaves the state stays noted, and another attempt of it goes on")
  func left() async throws {
    let bytes = try write(1_000_000)
    let reading = ThreadGate()
    let (heads, uploaded) = (Recorder<String>(), Recorder<Int>())
    let server = try LoopbackServer { connection in
      guard let head = connection.readHead()?.lowercased() else { return }
      heads.append(head)
      if head.hasPrefix("post") {
        connection.write("HTTP/1.1 104 Go\r\nupload-draft-interop-version: 8\r\nlocation: /upload\r\n\r\n")
        _ = connection.readSome()
        reading.wait()
        return connection.waitForClose()
      }
      guard head.hasPrefix("head") else {
        var rest = bytes.count - 1_000
        while rest > 0, case let some = connection.readSome(), !some.isEmpty { rest -= some.count }
        uploaded.append(rest)
        connection.write(UploadServer.status(200, "Upload-Complete: ?1\r\n"))
        return
      }
      connection.write(UploadServer.status(204, "Upload-Offset: 1000\r\nUpload-Complete: ?0\r\n"))
    }
    let store = Store<Set<HTTPUploadRequest>, HTTPUploadEvent?>(initialState: [upload(server.url())]) {
      [sent] state, event in
      if let event {
        sent.append(event)
      } else {
        state = Set(
          state.map { upload in
            var upload = upload
            upload.request.attempt += 1
            return upload
          })
      }
      if case .response = event { state = [] }
    }
    store.connect(HTTPUploadEffect(client: .untimed()), to: \.self, action: { $0 })
    try await eventually { folder.names.count == 2 && (try? folder.read("file.upload-of"))?.isEmpty == false }
    store.dispatch(nil)
    reading.open()
    await store.settled()
    #expect(uploaded.values == [0])
    #expect(heads.values.map { String($0.prefix(5)) } == ["post ", "head ", "patch"])
    #expect(folder.names == ["file"])
  }

  @Test(
    "a lost last answer is made up for by the one that says that the upload is complete",
    arguments: HTTPUploadResumption.allWays)
  func lostAnswer(way: HTTPUploadResumption) async throws {
    let bytes = try write(1_000)
    let server = try UploadServer([.cut(after: 400), .none, .cutAnswer(after: 0)])
    #expect(await runs(upload(server.url(), way)) == (3, nil))
    #expect(areEqual(server.file, bytes))
    #expect(response?.status == (way == .uploadResource ? 204 : 201))
    #expect(server.requests.count == 4)
  }

  @Test("a server that knows nothing of it gets a plain upload, which begins anew if it is cut")
  func unknown() async throws {
    let bytes = try write(1_000)
    for interim in [
      "", "HTTP/1.1 104 Go\r\nLocation: LINK\r\n\r\n",
      "HTTP/1.1 104 Go\r\nUpload-Draft-Interop-Version: 7\r\nLocation: LINK\r\n\r\n",
      "HTTP/1.1 103 Hints\r\nUpload-Draft-Interop-Version: 8\r\nLocation: LINK\r\n\r\n",
    ] {
      let server = try UploadServer([.cut(after: 400)], interim: interim)
      #expect(await run(upload(server.url()))?.isTransient == true)
      #expect(folder.names == ["file"])
      #expect(await run(upload(server.url())) == nil)
      #expect(server.methods == ["POST", "POST"])
      #expect(areEqual(server.file, bytes))
      #expect(folder.names == ["file"])
    }
  }

  @Test("an upload that the server has no more begins anew, once", arguments: [404, 410], [1, 2])
  func gone(status: Int, step: Int) async throws {
    let bytes = try write(1_000)
    let server = try UploadServer(
      [.cut(after: 400)] + Array(repeating: .none, count: step - 1) + [.answer(UploadServer.status(status))])
    #expect(await run(upload(server.url())) != nil)
    #expect(await run(upload(server.url())) == nil)
    #expect(areEqual(server.file, bytes))
    #expect(server.methods == ["POST"] + ["HEAD", "PATCH"].prefix(step) + ["POST"])
    #expect(folder.names == ["file"])
    let other = try UploadServer([
      .cut(after: 400), .answer(UploadServer.status(status)), .answer(UploadServer.status(status)),
    ])
    #expect(await run(upload(other.url())) != nil)
    #expect(await run(upload(other.url()))?.loading?.status == status)
    #expect(other.methods == ["POST", "HEAD", "POST"])
    #expect(folder.names == ["file"])
  }

  @Test(
    "by ranges, an upload that the server has no more fails, and is noted no more", arguments: [404, 410])
  func goneByRanges(status: Int) async throws {
    _ = try write(1_000)
    let server = try UploadServer([.cut(after: 400), .answer(UploadServer.status(status))])
    #expect(await run(upload(server.url(), .contentRanges)) != nil)
    #expect(folder.names == ["file", "file.upload-of"])
    #expect(await run(upload(server.url(), .contentRanges))?.loading?.status == status)
    #expect(folder.names == ["file"])
  }

  @Test("an offset that the server corrects is followed")
  func corrected() async throws {
    let bytes = try write(1_000)
    let server = try UploadServer([
      .cut(after: 400), .answer(UploadServer.status(204, "Upload-Offset: 100\r\nUpload-Complete: ?0\r\n")),
    ])
    #expect(await runs(upload(server.url())) == (2, nil))
    #expect(areEqual(server.file, bytes))
    #expect(server.requests.map { $0.fields["upload-offset"] } == [nil, nil, "100", "400"])
  }
}

extension HTTPUploadResumption {
  static let allWays: [Self] = [.uploadResource, .contentRanges]
}
