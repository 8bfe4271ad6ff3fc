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
}
