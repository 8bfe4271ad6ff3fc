import Foundation
import Millrace
import MillraceTrace
import SampleProgram
import TestSupport
import Testing

@testable import MillraceCommand

#if os(Linux) || os(macOS)
@Suite("The page of a recording", .timeLimit(.minutes(10)))
struct PageTests {
  private let hostile = "</script><img src=x onerror=alert(1)>@SCRIPT@"

  private func history(_ item: String, actions: Int = 4) async throws -> TraceHistory {
    let bytes = try await record(every: 1) { store in
      for count in 1...actions {
        await store.send(.wanted(item, count: count))
        await store.settled()  // the price comes second
      }
    }
    return TraceHistory(try TraceText(bytes))
  }

  private func text(_ page: Page) -> String { String(decoding: page.bytes, as: UTF8.self) }

  /// The chunks of a page as they are stored, without deflating where zlib is not there.
  private func chunks(_ page: Page) -> [(isDeflated: Bool, bytes: Data)] {
    text(page).matches(
      of: /<script type="text\/plain" class="chunk" data-deflated="(yes|no)">([^<]*)<\/script>/
    )
    .map { ($0.1 == "yes", Data(base64Encoded: String($0.2)) ?? Data()) }
  }

  @Test("nothing of a recording is a part of the page but as base64")
  func untrusted() async throws {
    let page = Page(try await history(hostile))
    let text = text(page)
    #expect(!text.contains("onerror=alert"))
    #expect(!text.contains("@SCRIPT@") && !text.contains("@CHUNKS@") && !text.contains("@NONCE@"))
    #expect(chunks(page).count == 1 && chunks(page).allSatisfy { !$0.bytes.isEmpty })
  }

  @Test("the policy allows the page's own script and style alone, and no request")
  func policy() async throws {
    let history = try await history("tea")
    let text = text(Page(history))
    let policy = try #require(text.firstMatch(of: /Content-Security-Policy" content="([^"]+)"/)?.1)
    let nonce = try #require(policy.firstMatch(of: /script-src 'nonce-([0-9a-z]+)'/)?.1)
    #expect(nonce.count > 16)
    #expect(
      policy
        == "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'none'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    for script in text.matches(of: /<(script|style)[^>]*>/).map(\.0) {
      #expect(script.contains("nonce=\"\(nonce)\"") || script.contains("type=\"text/plain\""), "\(script)")
    }
    #expect(!text.contains("http://") && !text.contains("https://"))
    #expect(text != self.text(Page(history)), "each page has a number of its own")
  }

  @Test("the template has at most 150 KB")
  func template() { #expect(Page.templateSize <= 150_000) }

  @Test("a page that would be too large has the states of the last actions, and then their values alone")
  func budget() async throws {
    let history = try await history("tea", actions: 200)
    let whole = Page(history)
    #expect(whole.leftOut == nil)
    let some = Page(history, budget: whole.bytes.count - 500)
    #expect(some.leftOut?.contains("--states FROM-TO chooses others") == true)
    #expect(some.bytes.count < whole.bytes.count)
    let few = Page(history, states: 3...9, budget: Page.templateSize)
    #expect(few.leftOut?.contains("3 to 9, and so are the values of actions") == true)
    #expect(few.bytes.count < some.bytes.count)
    // Without states and values it is still too large, so it has the last lines.
    let budget = Page.templateSize + 5_000
    let last = Page(history, budget: budget)
    #expect(last.bytes.count <= budget)
    #expect(last.leftOut?.contains(" of \(history.text.lines.count) lines") == true, "\(last.leftOut ?? "")")
    #expect(Page(history, states: 3...9).leftOut == "States are those after actions 3 to 9, as asked for.")
  }

  @Test("lines have no checksum, and states that are left out are empty texts")
  func lines() async throws {
    let history = try await history("tea")
    let all = PageLines.chunks(of: history.text).flatMap(\.self)
    let text = String(decoding: all, as: UTF8.self)
    #expect(!text.contains("\"#\":"))
    #expect(text.split(separator: "\n").count == history.text.lines.count + 1)
    let read = try TraceText(all)
    #expect(read.lines.map(\.line) == history.text.lines.map(\.line))
    let few = try TraceText(
      PageLines.chunks(of: history.text, states: 2...2, values: 2...2).flatMap(\.self))
    var states: [UInt64] = []
    var values: [UInt64] = []
    for numbered in few.lines {
      switch numbered.line {
      case .snapshot(let line) where line.state != .text(""): states.append(line.sequence)
      case .action(let line) where line.payload != .text(""): values.append(line.sequence)
      case .action(let line): #expect(line.kind == ".wanted")
      default: break
      }
    }
    #expect(states == [2] && values == [2])
  }

  @Test("the command writes a file for its owner alone, and says what is wrong with a recording")
  func command() async throws {
    let folder = try TemporaryFolder()
    let bytes = try await record(every: 1) { store in await store.send(.auditAsked(7)) }
    try folder.write(Data(bytes.dropLast(9)), to: "torn")
    let page = folder.file("page.html")
    let outcome = try await Program(name: "millrace").run(["view", folder.file("torn"), "-o", page])
    #expect(outcome.exitCode == 0)
    #expect(outcome.output == page + "\n")
    #expect(outcome.errors.contains("the last line is incomplete"))
    #expect(try String(contentsOfFile: page, encoding: .utf8).hasPrefix("<!doctype html>"))
    let attributes = try FileManager.default.attributesOfItem(atPath: page)
    #expect(attributes[.posixPermissions] as? NSNumber == 0o600)
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    for (words, problem) in [
      (["-o", pipe], "\(pipe) cannot be written: it is no regular file"),
      (["-o", "/no/such/page.html"], "/no/such/page.html cannot be written"),
      (["-o", page, "--states", "9-3"], "'9-3' is no range of actions"),
    ] {
      let outcome = try await Program(name: "millrace").run(["view", folder.file("torn")] + words)
      #expect(outcome.exitCode == 2)
      #expect(outcome.errors.contains(problem), "\(outcome.errors)")
    }
  }
}
#endif
