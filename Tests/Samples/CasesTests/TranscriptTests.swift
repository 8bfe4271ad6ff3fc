import Foundation
import Millrace
import MillraceTesting
import TestSupport
import Testing

@testable import cases

@Suite("The stories of the cases", .timeLimit(.minutes(10))) struct TranscriptTests {
  private static let folder = Checkout.root.appending(path: "Samples/Cases")

  /// The first lines of the transcripts, and the texts.
  private static func transcripts() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).compactMap { name in
      try? String(contentsOf: folder.appendingPathComponent("\(name)/transcript.txt"), encoding: .utf8)
    }
  }

  @Test("each case tells what its transcript shows, each time", arguments: Case.all.map(\.name))
  func reported(name: String) async throws {
    let story = try #require(Case.all.first { $0.name == name })
    let head = "\(story.name): \(story.symptom)\n"
    let expected = try #require(try Self.transcripts().first { $0.hasPrefix(head) })
    for _ in 1...3 {
      let lines = Recorder<String>()
      try await story.tell { lines.append($0) }
      #expect(head + lines.values.map { "  \($0)\n" }.joined() == expected)
    }
  }

  @Test("each transcript is of a case, and each case has one name and at most 120 lines")
  func complete() throws {
    #expect(try Self.transcripts().count == Case.all.count)
    #expect(Set(Case.all.map(\.name)).count == Case.all.count)
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path) {
      let file = Self.folder.appendingPathComponent("\(name)/\(name).swift")
      guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
      #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 121, "\(name)")
    }
  }

  @Test("the page lists each case by its symptom, with what else one knows it as")
  func page() throws {
    let rows = try Checkout.text("Documentation/Millrace.docc/Cases.md").split(separator: "\n").filter {
      $0.hasPrefix("|")
    }
    .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    let cases = rows.filter { $0.count == 4 && $0[1].hasPrefix("`") }
    #expect(cases.map { $0[1] } == Case.all.map { "`\($0.name)`" })
    #expect(cases.map { $0[0] } == Case.all.map(\.symptom))
  }
}
