import Foundation
import TestSupport
import Testing

@testable import MillraceSystem

@Suite("What is told of a folder") struct FolderNewsTests {
  private typealias Found = Result<[String: FileFacts], FolderWatchFailure>

  private var news = FolderNews(quiet: .milliseconds(100))

  private func file(_ milliseconds: Int, size: Int = 1, number: UInt64 = 1) -> FileFacts {
    FileFacts(size: size, modified: .milliseconds(milliseconds), number: number)
  }

  private mutating func looked(
    _ files: [String: FileFacts], at milliseconds: Int, for length: Int = 0
  ) -> (news: Found?, due: Duration?) {
    news.looked(.success(files), from: .milliseconds(milliseconds), to: .milliseconds(milliseconds + length))
  }

  @Test("an empty folder is told, once")
  mutating func empty() {
    #expect(looked([:], at: 0).news == .success([:]))
    #expect(looked([:], at: 1).news == nil)
  }

  @Test("a file is told once it has stood still, and is waited for until then")
  mutating func young() {
    let first = looked(["a": file(1_000)], at: 1_030)
    #expect(first.news == .success([:]))
    #expect(first.due == .milliseconds(70))
    let second = looked(["a": file(1_050)], at: 1_100)
    #expect(second.news == nil)
    #expect(second.due == .milliseconds(50))
    let third = looked(["a": file(1_050)], at: 1_150)
    #expect(third.news == .success(["a": file(1_050)]))
    #expect(third.due == nil)
  }

  @Test("what was told stays told while the file is written again")
  mutating func writtenAgain() {
    _ = looked(["a": file(0)], at: 1_000)
    let again = looked(["a": file(990), "b": file(0)], at: 1_000)
    #expect(again.news == .success(["a": file(0), "b": file(0)]))
    #expect(again.due == .milliseconds(90))
    #expect(looked(["b": file(0)], at: 1_010).news == .success(["b": file(0)]))
  }

  @Test("the soonest of several is waited for")
  mutating func several() {
    #expect(looked(["a": file(990), "b": file(950), "c": file(970)], at: 1_000).due == .milliseconds(50))
  }

  @Test("a file that changes during a look is young, and one of a time to come is not")
  mutating func times() {
    let during = looked(["a": file(1_040)], at: 1_000, for: 50)
    #expect(during.news == .success([:]))
    #expect(during.due == .milliseconds(140))
    #expect(looked(["a": file(9_000)], at: 1_100).news == .success(["a": file(9_000)]))
  }

  @Test("a folder within has no time, and a file in another's place is another")
  mutating func kinds() {
    let folder = FileFacts(kind: .folder, number: 2)
    #expect(looked(["sub": folder], at: 0).news == .success(["sub": folder]))
    #expect(looked(["sub": file(-500, number: 2)], at: 0).news == .success(["sub": file(-500, number: 2)]))
    #expect(looked(["sub": file(-500, number: 3)], at: 0).news == .success(["sub": file(-500, number: 3)]))
  }

  @Test("a failure is told once, and the folder that is back is told whole")
  mutating func failure() {
    _ = looked(["a": file(-500)], at: 0)
    let gone = Found.failure(.noSuchFolder)
    #expect(news.looked(gone, from: .zero, to: .zero).news == gone)
    #expect(news.looked(gone, from: .zero, to: .zero).news == nil)
    #expect(looked(["a": file(-500)], at: 0).news == .success(["a": file(-500)]))
  }

  @Test("no time is shorter than a tick of the system's clock")
  mutating func tick() {
    news = FolderNews(quiet: .zero)
    #expect(looked(["a": file(1_000)], at: 1_010).due == .milliseconds(10))
    #expect(looked(["a": file(1_000)], at: 1_020).news == .success(["a": file(1_000)]))
  }

  @Test("why a folder cannot be listed is told in words") func words() {
    let failures: [FolderWatchFailure] = [.noSuchFolder, .notAFolder, .notReadable, .other(errno: 5)]
    #expect(
      failures.map { "\($0)" } == [
        "nothing has that path", "the path is that of a file", "this process may not read the folder",
        "Input/output error",
      ])
  }

  // MARK: What is read

  @Test("a file that cannot be looked at has not gone: the listing fails")
  func unknownFile() throws {
    let folder = try TemporaryFolder()
    // A folder so deep that the path of a file in it is longer than the system takes.
    var path = folder.path
    while path.utf8.count < Int(PATH_MAX) - 250 {
      path += "/" + String(repeating: "d", count: 200)
      #expect(mkdir(path, 0o700) == 0)
    }
    #expect(FolderReading.files(of: path) == .success([:]))
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    let name = String(repeating: "f", count: 250)
    close(openat(descriptor, name, O_WRONLY | O_CREAT, 0o600))
    #expect(FolderReading.files(of: path) == .failure(.other(errno: ENAMETOOLONG)))
    #expect(unlinkat(descriptor, name, 0) == 0)
  }

  @Test("of a folder that is narrowed to names, only their changes are news")
  func narrowed() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("inbox")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    for name in ["settings", "other"] { try folder.write(Data(), to: "inbox/\(name)") }
    var news = FolderNews(quiet: .zero)
    func look() -> [String]? {
      let found = FolderReading.files(of: path, named: ["settings", "missing", "", "..", "../inbox/other"])
      guard
        case .success(let files) = news.looked(
          found, from: .seconds(4_000_000_000), to: .seconds(4_000_000_000)
        ).news
      else { return nil }
      return files.keys.sorted()
    }
    #expect(look() == ["settings"])
    try folder.write(Data("changed".utf8), to: "inbox/other")
    #expect(look() == nil, "another file's change")
    try folder.write(Data("changed".utf8), to: "inbox/settings")
    #expect(look() == ["settings"])
    #expect(look() == nil, "once")
    try FileManager.default.removeItem(atPath: folder.file("inbox/settings"))
    #expect(look() == [])
  }
}
