import Foundation
import Millrace
import MillraceCoverage
import MillraceTesting
import SampleProgram
import Testing

@testable import MillraceTestStore

@Suite struct RequestCoverageTests {
  private let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).coverage").path

  /// What a store with the feature has seen after `body`.
  private func coverage(_ body: (TestStore<Feature.State, Feature.Action>) -> Void) async -> RequestCoverage {
    let store = Feature.testStore()
    store.exhaustivity = .none
    body(store)
    await store.finish()
    return store.session.coverage.withLock { $0 }
  }

  @Test func whatCameOfEachRequestIsSeen() async {
    let coverage = await coverage { store in
      store.send(.queryChanged("a"))
      store.send(.queryChanged("b"))
      store.answer("b", with: .arrived(["b"]))
      store.send(.queryChanged("c"))
      store.fail("c", with: Feature.Offline())
    }
    let search = coverage.effects.first { $0.effect == "Feature.SearchEffect" }
    #expect(
      search?.text == """
        Feature.SearchEffect (String)
          String: 3 runs; sent Feature.Action.arrived, Feature.Action.failed; returned 1; failed 1; stopped 1
        """)
    #expect(
      coverage.effects.first { $0.effect == "clock" }?.text == """
        clock (Feature.Tick)
          missing: no request of it ever ran
        """)
  }

  @Test func whatIsMissingIsTold() {
    var effect = EffectCoverage(
      effect: "Load", request: "Page", failure: "Offline", cases: ["Page.first", "Page.next"])
    effect.change("Page.first") {
      $0.runs = 1
      $0.returned = 1
    }
    #expect(
      effect.missing == [
        "Page.next was never asked for", "Page.first never sent anything",
        "Page.first never failed, and can throw Offline", "Page.first was never stopped",
      ])
  }

  @Test func casesAreListedWhereTheyCanBe() async {
    enum Page: CaseIterable, Hashable, Sendable { case first, next }
    let store = TestStore(
      initialState: Set<Page>(), reduce: { (_: inout Set<Page>, _: Int) in },
      connect: { store in store.connect(when: { $0 }, named: "load") { _, _ in } })
    await store.finish()
    let cases = store.session.coverage.withLock { $0.effects.first?.cases }
    #expect(cases?.count == 2)
    #expect(cases?.last?.hasSuffix("Page.next") == true)
  }

  @Test func linesOfSeveralStoresAreMergedAndPrinted() async throws {
    defer { try? FileManager.default.removeItem(atPath: file) }
    for query in ["a", "b"] {
      let coverage = await coverage { store in
        store.send(.queryChanged(query))
        store.answer(query, with: .arrived([]))
      }
      try coverage.append(toFile: file)
    }
    let merged = try RequestCoverage(contentsOfFile: file)
    #expect(merged.effects.first { $0.effect == "Feature.SearchEffect" }?.kinds["String"]?.runs == 2)
    let outcome = try Program(name: "millrace").run(["coverage", file])
    #expect(outcome.exitCode == 0 && outcome.errors == "")
    #expect(outcome.output == merged.report + "\n")
    #expect(outcome.output.hasSuffix("effects, 3 outcomes that no test produced\n"))
  }

  @Test func badInputIsNamed() throws {
    let program = Program(name: "millrace")
    let missing = try program.run(["coverage", "/no/such/file"])
    #expect(missing.exitCode == 2)
    #expect(missing.errors == "millrace: /no/such/file: cannot be read\n")
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Data("{\"effects\":[]}\nnonsense\n".utf8).write(to: URL(fileURLWithPath: file))
    let broken = try program.run(["coverage", file])
    #expect(broken.exitCode == 2)
    #expect(broken.errors == "millrace: \(file), line 2: is not a record of request coverage\n")
    let unknown = try program.run(["cover"])
    #expect(unknown.exitCode == 2)
    #expect(unknown.errors.hasPrefix("millrace: 'cover' is not a command\n"))
    #expect(try program.run().output.hasPrefix("usage: millrace coverage <file>\n"))
  }

  @Test func aFileThatCannotBeWrittenIsNamed() {
    #expect {
      try RequestCoverage().append(toFile: "/no/such/folder/file")
    } throws: { error in
      "\(error)" == "/no/such/folder/file: No such file or directory"
    }
  }

  @Test func rerunsDoNotCount() async {
    let session = TestSession<Feature.State, Feature.Action>(
      initialState: Feature.State(query: "a"), serving: .byHand, options: StoreOptions(),
      reduce: Feature.reduce, connect: { Feature.connect(to: $0) }, rerun: Rerun())
    await session.runAgain({ await $0.finish() }, at: TestPlace())
    #expect(session.coverage.withLock { $0.effects.isEmpty })
  }
}
