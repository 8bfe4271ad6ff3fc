import Foundation
import TestSupport
import Testing

@testable import MillraceHTTP

/// What is in the place of the file that a download is to become.
@Suite struct DownloadPlaceTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func file(_ name: String, resumes: Bool) throws -> DownloadFile {
    try DownloadFile(
      for: HTTPDownloadRequest(HTTPRequest("http://localhost/"), to: folder.file(name), resumes: resumes))
  }

  private func failure(_ errorNumber: Int32) -> HTTPDownloadFailure {
    .writing(path: folder.file("place"), errorNumber: errorNumber)
  }

  @Test("a symbolic link, a FIFO and a folder stay as they are", arguments: [false, true])
  func refused(resumes: Bool) throws {
    let place = folder.file("place")
    try folder.write(Data("precious".utf8), to: "other")
    try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: folder.file("other"))
    #expect(throws: failure(ELOOP)) { try file("place", resumes: resumes) }
    #expect(try folder.read("other") == Data("precious".utf8))
    #expect(unlink(place) == 0 && mkfifo(place, 0o600) == 0)
    #expect(throws: failure(EEXIST)) { try file("place", resumes: resumes) }
    #expect(unlink(place) == 0 && mkdir(place, 0o700) == 0)
    #expect(throws: failure(EISDIR)) { try file("place", resumes: resumes) }
    #expect(folder.names == ["other", "place"])
  }

  @Test(
    "what somebody has put in the place during the download stays, and the part goes",
    arguments: [false, true])
  func planted(resumes: Bool) throws {
    let download = try file("place", resumes: resumes)
    try download.begin(as: nil)
    try download.write(Data("new".utf8))
    #expect(mkfifo(folder.file("place"), 0o600) == 0)
    #expect(throws: failure(EEXIST)) { try download.keep() }
    download.giveUp()
    #expect(folder.names == ["place"])
  }

  @Test("a name as long as the system allows has room for its part", arguments: [false, true])
  func longName(resumes: Bool) throws {
    for name in [String(repeating: "n", count: 250), String(repeating: "é", count: 127)] {
      let download = try file(name, resumes: resumes)
      try download.begin(as: "\"tag\"")
      try download.write(Data("new".utf8))
      try download.keep()
      #expect(folder.names == [name])
      #expect(try folder.read(name) == Data("new".utf8))
      try FileManager.default.removeItem(atPath: folder.file(name))
    }
  }

  @Test("a download that has ended excludes none, though a process that is being started has its open file")
  func inherited() throws {
    let request = HTTPRequest("http://localhost/", timeout: nil, largestBody: .max)
    let download = HTTPDownloadRequest(request, to: folder.file("file"), resumes: true)
    let first = try DownloadFile(for: download)
    try first.begin(as: "\"v1\"")
    try first.write(Data("hello".utf8))
    // What a child has between `fork` and `exec`.
    let inherited = try #require(openFile(folder.file("file.part")).map { dup($0) })
    first.giveUp()
    #expect(try DownloadFile(for: download).start?.offset == 5)
    close(inherited)
  }

  /// A descriptor of this process that has the file open.
  private func openFile(_ path: String) -> Int32? {
    var named = stat()
    guard stat(path, &named) == 0 else { return nil }
    return (0..<Int32(4_096)).first { descriptor in
      var facts = stat()
      return fstat(descriptor, &facts) == 0 && facts.st_dev == named.st_dev && facts.st_ino == named.st_ino
    }
  }

  @Test(
    "a content range is one of bytes, not empty, and within the whole",
    arguments: [
      ("bytes 5-9/10", true), ("BYTES 5-9/10", true), ("bytes 5-9/*", true), ("bytes 0-0/1", true),
      ("bytes 5-10/10", false), ("bytes 6-5/10", false), ("bytes 5-/10", false), ("bytes -5/10", false),
      ("bytes */10", false), ("bytes 5-9/", false), ("items 5-9/10", false), ("bytes 5-9/10, 3", false),
      ("bytes 5-9223372036854775807/*", false), ("bytes +5-9/10", false), ("", false),
    ])
  func contentRange(field: String, isOne: Bool) {
    #expect((ContentRange(field) != nil) == isOne)
  }
}
