import Foundation
import HostileServer
import Millrace
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

/// Servers that contradict themselves, and files and notes that are not what they were.
@Suite(.stopsServers, .serialized, .timeLimit(.minutes(30)))
struct HTTPUploadContradictionTests: TransfersByHand {
  let folder: TemporaryFolder
  let sent = Recorder<HTTPUploadEvent>()
  private let bytes = variedBytes(1_000)

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Data(bytes), to: "file")
  }

  private static func place(_ status: Int, _ offset: String, _ rest: String = "Upload-Complete: ?0\r\n")
    -> String
  {
    UploadServer.status(status, "Upload-Offset: \(offset)\r\n\(rest)")
  }

  @Test(
    "a server that contradicts itself about an upload ends the attempt, and the next one begins anew",
    arguments: [
      [place(204, "1001")], [place(204, "-1")], [place(204, "4 0")], [place(204, "99999999999999999999")],
      [UploadServer.status(204)],
      [place(204, "400", "Upload-Length: 999\r\n")], [place(204, "999", "Upload-Complete: ?1\r\n")],
      [place(204, "1000", "Upload-Complete: ?1\r\nUpload-Length: 2000\r\n")],
      // Back to what it had, or less.
      [place(204, "400"), place(409, "400")], [place(204, "400"), place(409, "399")],
      // No more than before, though it took the rest.
      [place(204, "400"), UploadServer.status(200), place(204, "400")],
      [
        place(204, "400"), UploadServer.status(200), place(204, "1000"), UploadServer.status(200),
        place(204, "1000"),
      ],
      [place(204, "400"), place(200, "500", "Upload-Complete: ?1\r\n")],
    ])
  func contradicted(answers: [String]) async throws {
    let server = try UploadServer([.cut(after: 400)] + answers.map { .answer($0) })
    #expect(await run(upload(server.url())) != nil)
    let failure = await run(upload(server.url()))
    #expect(failure?.loading?.isNotHTTP == true, "\(String(describing: failure))")
    #expect(server.requests.count == 1 + answers.count)
    #expect(folder.names == ["file"])
    #expect(await run(upload(server.url())) == nil)
    #expect(areEqual(server.file, bytes))
  }

  @Test(
    "by ranges, a server that contradicts itself ends the attempt",
    arguments: [
      ["Range: bytes=0-1000\r\n"], ["Range: bytes=1-399\r\n"], ["Range: bytes=0-\r\n"], ["Range: 400\r\n"],
      ["Range: bytes=0-399\r\n", "Range: bytes=0-399\r\n"], ["Range: bytes=0-399\r\n", ""], ["", ""],
      ["Range: bytes=0-399\r\n", "Range: bytes=0-499\r\n", "Range: bytes=0-498\r\n"],
      ["Range: bytes=0-999\r\n", "Range: bytes=0-999\r\n"],
    ])
  func contradictedByRanges(ranges: [String]) async throws {
    let server = try UploadServer([.cut(after: 400)] + ranges.map { .answer(UploadServer.status(308, $0)) })
    #expect(await run(upload(server.url(), .contentRanges)) != nil)
    let failure = await run(upload(server.url(), .contentRanges))
    #expect(failure?.loading?.isNotHTTP == true, "\(String(describing: failure))")
    #expect(server.requests.count == 1 + ranges.count)
    #expect(folder.names == ["file"])
  }

  @Test(
    "an answer that refuses the whole file is the last one, and nothing is noted",
    arguments: [400, 409, 413, 422])
  func refused(status: Int) async throws {
    let server = try UploadServer([.status(status, after: 1_000), .cut(after: 100)])
    #expect(await run(upload(server.url()))?.loading?.status == status)
    #expect(folder.names == ["file"])
    // A part that is refused is another matter: the upload is still there.
    #expect(await run(upload(server.url())) != nil)
    server.add(
      .none, .answer(UploadServer.status(422)), .none,
      .answer(UploadServer.status(422, "Upload-Complete: ?1\r\n")))
    for isNoted in [true, false] {
      #expect(await run(upload(server.url()))?.loading?.status == 422)
      #expect(folder.names.contains("file.upload-of") == isNoted)
    }
  }

  // MARK: Credentials

  @Test("credentials go to the request's own server alone", arguments: [true, false])
  func credentials(isOther: Bool) async throws {
    let other = try UploadServer()
    let server = try UploadServer(
      [.cut(after: 400)],
      interim:
        "HTTP/1.1 104 Go\r\nUpload-Draft-Interop-Version: 8\r\nLocation: \(isOther ? other.url("/upload/0") : "LINK")\r\n\r\n"
    )
    if isOther {
      other.add(
        .answer(Self.place(204, "400")), .answer(UploadServer.status(200, "Upload-Complete: ?1\r\n")))
    }
    var headers: HTTPHeaders = ["authorization": "Bearer 1", "cookie": "a=b", "x-own": "c", "x-free": "d"]
    headers.secretNames.insert("x-own")
    headers["if-none-match"] = "*"
    headers["content-disposition"] = "inline"
    #expect(await run(upload(server.url(), headers: headers)) != nil)
    #expect(await run(upload(server.url(), headers: headers)) == nil)
    #expect(server.requests[0].fields["content-disposition"] == "inline")
    #expect(server.requests[0].fields["if-none-match"] == "*")
    let later = isOther ? other.requests : Array(server.requests.dropFirst())
    #expect(later.map(\.method) == ["HEAD", "PATCH"])
    for request in later {
      for name in ["authorization", "cookie", "x-own"] {
        #expect((request.fields[name] == nil) == isOther, "\(name)")
      }
      #expect(request.fields["x-free"] == "d")
      #expect(request.fields["if-none-match"] == nil && request.fields["content-disposition"] == nil)
    }
  }

  @Test("credentials of the address are kept for the upload's, and redirects to another server lose them")
  func redirected() async throws {
    let other = try UploadServer([
      .answer(Self.place(204, "400")), .answer(UploadServer.status(200, "Upload-Complete: ?1\r\n")),
    ])
    let server = try UploadServer([.cut(after: 400)])
    let move = UploadServer.status(307, "Location: \(other.url("/upload/0"))\r\n")
    server.add(.answer(move), .answer(move))
    let url = server.url().replacing("http://", with: "http://me:secret@")
    #expect(await run(upload(url)) != nil)
    #expect(await run(upload(url)) == nil)
    #expect(server.requests.allSatisfy { $0.fields["authorization"] == "Basic bWU6c2VjcmV0" })
    #expect(other.requests.map { $0.fields["authorization"] } == [nil, nil])
    #expect(
      try !folder.names.contains { String(decoding: try folder.read($0), as: UTF8.self).contains("secret") })
  }

  // MARK: The file and its note

  @Test(
    "a file that has changed begins anew, or fails where it cannot", arguments: HTTPUploadResumption.allWays)
  func changed(way: HTTPUploadResumption) async throws {
    let server = try UploadServer([.cut(after: 400)])
    #expect(await run(upload(server.url(), way)) != nil)
    let other = variedBytes(1_001).reversed() as [UInt8]
    try folder.write(Data(other), to: "file")
    if way == .uploadResource {
      #expect(await run(upload(server.url(), way)) == nil)
      #expect(areEqual(server.file, other))
      #expect(server.methods == ["POST", "POST"])
    } else {
      #expect(await run(upload(server.url(), way)) == .changed(path: folder.file("file")))
      #expect(await run(upload(server.url(), way)) == .changed(path: folder.file("file")))
      #expect(server.requests.count == 1)
      // Under another address it is another upload.
      let second = try UploadServer()
      #expect(await run(upload(second.url(), way)) == nil)
      #expect(areEqual(second.file, other))
    }
    #expect(folder.names == ["file"])
  }

  @Test("a file that changes while it is sent is told, though the server has taken it")
  func changedMeanwhile() async throws {
    let path = folder.file("file")
    let server = try LoopbackServer { connection in
      guard connection.readHead() != nil else { return }
      _ = connection.read(1_000)
      utimes(path, [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)])
      connection.write(UploadServer.status(201))
    }
    #expect(await run(upload(server.url())) == .changed(path: path))
    #expect(folder.names == ["file"])
  }

  @Test("a file that is gone is told, and its note stays")
  func gone() async throws {
    let server = try UploadServer([.cut(after: 400)])
    #expect(await run(upload(server.url())) != nil)
    try FileManager.default.removeItem(atPath: folder.file("file"))
    #expect(await run(upload(server.url())) == .reading(path: folder.file("file"), errorNumber: ENOENT))
    #expect(folder.names == ["file.upload-of"])
  }

  @Test("a note that is damaged, or of another upload, counts as none")
  func foreignNotes() async throws {
    let server = try UploadServer([.cut(after: 400)])
    #expect(await run(upload(server.url())) != nil)
    let note = String(decoding: try folder.read("file.upload-of"), as: UTF8.self)
    #expect(note.hasPrefix("millrace upload 1 uploadResource\n\(server.url())\n1000-"))
    #expect(note.hasSuffix(" \(server.url("/upload/0"))\n"))
    let mode = try FileManager.default.attributesOfItem(atPath: folder.file("file.upload-of"))[
      .posixPermissions]
    #expect(mode as? Int == 0o600)
    let foreign = [
      "", "mill", String(note.dropLast()), note + "\n", note.replacing("/in", with: "/out"),
      note.replacing("uploadResource", with: "contentRanges"), note + String(repeating: "x", count: 70_000),
    ]
    for foreign in foreign {
      try folder.write(Data(foreign.utf8), to: "file.upload-of")
      let server = try UploadServer()
      #expect(await run(upload(server.url())) == nil)
      #expect(server.methods == ["POST"])
      #expect(folder.names == ["file"])
    }
  }

  @Test("a file that is no note is left as it is", arguments: ["x", String(repeating: "x", count: 70_000)])
  func noNotes(text: String) async throws {
    let server = try UploadServer()
    try folder.write(Data(text.utf8), to: "file.upload-of")
    #expect(
      await run(upload(server.url())) == .noting(path: folder.file("file.upload-of"), errorNumber: EEXIST))
    #expect(try folder.read("file.upload-of") == Data(text.utf8))
    var upload = upload(server.url())
    upload.note = upload.file
    #expect(await run(upload) == .noting(path: upload.file, errorNumber: EEXIST))
    #expect(try folder.read("file") == Data(bytes) && server.requests.isEmpty)
  }

  @Test(
    "a first answer that says that it has a part is no success",
    arguments: [
      place(201, "400"), place(201, "400", "Upload-Complete: ?1\r\n"),
      place(200, "1000", "Upload-Length: 999\r\n"),
    ])
  func partAtFirst(answer: String) async throws {
    let server = try UploadServer([.answer(answer)])
    let failure = await run(upload(server.url()))
    #expect(failure?.loading?.isNotHTTP == true, "\(String(describing: failure))")
    #expect(folder.names == ["file"])
  }

  @Test("an upload that the server refuses to tell of begins anew", arguments: [400, 405, 412])
  func refusedQuestion(status: Int) async throws {
    let server = try UploadServer([.cut(after: 400), .answer(UploadServer.status(status))])
    #expect(await run(upload(server.url())) != nil)
    #expect(await run(upload(server.url()))?.loading?.status == status)
    #expect(folder.names == ["file"])
    #expect(await run(upload(server.url())) == nil)
    #expect(areEqual(server.file, bytes))
  }

  @Test("a note is where the request says, and one that cannot be made is told")
  func namedNotes() async throws {
    let server = try UploadServer([.cut(after: 400)])
    var upload = upload(server.url())
    upload.note = folder.file("missing/note")
    #expect(await run(upload) == .noting(path: upload.note, errorNumber: ENOENT))
    symlink("elsewhere", folder.file("link"))
    upload.note = folder.file("link")
    #expect(await run(upload) == .noting(path: upload.note, errorNumber: ELOOP))
    upload.note = folder.path
    #expect(await run(upload) == .noting(path: upload.note, errorNumber: EISDIR))
    mkfifo(folder.file("fifo"), 0o600)
    upload.note = folder.file("fifo")
    #expect(await run(upload) == .noting(path: upload.note, errorNumber: EEXIST))
    #expect(server.requests.isEmpty)
    upload.note = folder.file("note")
    #expect(await run(upload) != nil)
    #expect(folder.names == ["fifo", "file", "link", "note"])
    #expect(await run(upload) == nil)
    #expect(server.methods == ["POST", "HEAD", "PATCH"])
    #expect(folder.names == ["fifo", "file", "link"])
  }

  @Test("uploads with one note exclude each other")
  func excluded() async throws {
    let server = try UploadServer()
    let note = folder.file("file.upload-of")
    let taken = open(note, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    flock(taken, LOCK_EX)
    #expect(await run(upload(server.url())) == .noting(path: note, errorNumber: EWOULDBLOCK))
    // Closing alone would leave the lock with a process that is being started.
    flock(taken, LOCK_UN)
    close(taken)
    #expect(await run(upload(server.url())) == nil)
    let effect = HTTPUploadEffect()
    var (first, second) = (upload("http://a/"), upload("http://b/", .contentRanges))
    #expect(effect.id(of: first) == effect.id(of: second))
    second.note = "/elsewhere"
    #expect(effect.id(of: first) != effect.id(of: second))
    first.resumes = nil
    #expect(effect.id(of: first) == first)
  }

  // MARK: Interim answers

  @Test(
    "more interim answers than fit in a head are read if each says that more has arrived",
    arguments: [true, false])
  func manyInterims(isFurther: Bool) async throws {
    let server = try LoopbackServer { connection in
      guard connection.readHead() != nil else { return }
      // More than a head may have, and less than 300 KB, beyond which libcurl reads no further.
      let field = "X: \(String(repeating: "x", count: 1_000))\r\n"
      for place in 0..<270 {
        connection.write("HTTP/1.1 104 Go\r\nUpload-Offset: \(isFurther ? place : 0)\r\n\(field)\r\n")
      }
      _ = connection.read(1_000)
      connection.write(UploadServer.status(201))
    }
    let failure = await run(upload(server.url()))
    #expect(
      isFurther ? failure == nil : failure?.loading?.isNotHTTP == true, "\(String(describing: failure))")
  }

  @Test("an address that is too long to be noted has the next attempt begin anew")
  func longAddress() async throws {
    let link = "/" + String(repeating: "x", count: 70_000)
    let server = try UploadServer(
      [.cut(after: 400)],
      interim: "HTTP/1.1 104 Go\r\nUpload-Draft-Interop-Version: 8\r\nLocation: \(link)\r\n\r\n")
    #expect(await run(upload(server.url())) != nil)
    #expect(folder.names == ["file"])
    #expect(await run(upload(server.url())) == nil)
    #expect(server.methods == ["POST", "POST"])
  }

  // MARK: Digests

  @Test("the digest of the file is sent, and one that contradicts it is told")
  func digests() async throws {
    let own = "sha-256=:zgQuFmCAzJcn8e3rRuzQNXzqhmzBFy3rFTgBCK71JVo=:"
    try folder.write(Data("hello world!".utf8), to: "file")
    let expected = "dQnlvaDHYtK6x/kNdYtbImP6Acy8VCq1498WO+CObKk="
    for (digest, isRight) in [
      ("sha-256=:\(expected):", true), ("sha-512=:AA==:, sha-256=:\(expected):", true), (own, false),
      ("sha-512=:AA==:", true),
    ] {
      let server = try UploadServer([.cut(after: 5)], digest: "Repr-Digest: \(digest)\r\n")
      var upload = upload(server.url())
      upload.sendsDigest = true
      #expect(await run(upload)?.isTransient == true)
      #expect(await run(upload) == (isRight ? nil : .damaged(path: upload.file)))
      #expect(
        server.requests.map { $0.fields["repr-digest"] }
          == Array(repeating: "sha-256=:\(expected):", count: 3))
      #expect(folder.names == ["file"])
    }
    // Of an answer that is not about the upload, the digest is that of its own body.
    let server = try LoopbackServer { connection in
      guard connection.readHead() != nil else { return }
      _ = connection.read(12)
      connection.write(UploadServer.status(201, "Repr-Digest: \(own)\r\n"))
    }
    var upload = upload(server.url(), nil)
    upload.sendsDigest = true
    #expect(await run(upload) == nil)
    upload.resumes = .uploadResource
    #expect(await run(upload) == nil)
  }

  @Test("a file whose bytes alone have changed is told apart by its digest")
  func changedBytes() async throws {
    let server = try UploadServer([.cut(after: 400)])
    var upload = upload(server.url())
    upload.sendsDigest = true
    var times = stat()
    stat(upload.file, &times)
    #expect(await run(upload) != nil)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: upload.file))
    try file.write(contentsOf: Data([99]))
    try file.close()
    let kept = [times.st_atim, times.st_mtim]
    utimensat(AT_FDCWD, upload.file, kept, 0)
    #expect(await run(upload) == nil)
    #expect(server.methods == ["POST", "POST"])
    #expect(server.file?.first == 99)
  }
}
