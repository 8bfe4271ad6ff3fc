import MillraceStorage
import Testing

@Suite struct StorageFailureTests {
  private static let descriptions: [(StorageFailure, String)] = [
    (.noSuchFolder("a/b"), "no such folder: a/b"),
    (.isDirectory("a"), "a folder is in its place: a"),
    (.permission("a"), "access is denied: a"),
    (.diskFull("a"), "the disk or the quota is full: a"),
    (.locked("m4/.mirror.lock"), "in use by another process or storage: m4/.mirror.lock"),
    (
      .newerVersion("a", found: 3, known: 2),
      "written by a newer version of the program, 3 where 2 is known: a"
    ),
    (
      .notMigratable("a", from: 1, reason: "no title"),
      "of version 1, which cannot be migrated (no title): a"
    ),
    (.foreignFile("a"), "not written by this program: a"),
    (.isSymbolicLink("a"), "a symbolic link is in its place: a"),
    (.notLoaded("a"), "not loaded, or changed by another since then: a"),
    (.notEncodable("NaN"), "cannot be encoded: NaN"),
    (.unreadable("a: Input/output error", errorNumber: 5), "a: Input/output error"),
    (.locked("a\nb"), #"in use by another process or storage: a\nb"#),
  ]

  @Test("a failure says in one line what happened, and to which file", arguments: descriptions)
  func described(failure: StorageFailure, words: String) { #expect("\(failure)" == words) }
}
