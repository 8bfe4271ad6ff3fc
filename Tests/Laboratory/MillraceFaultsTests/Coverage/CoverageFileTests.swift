import Foundation
import Millrace
import MillraceSystem
import SampleProgram
import Testing

@testable import MillraceCoverage
@testable import MillraceFaults
@testable import MillraceTestStore

@Suite struct CoverageFileTests {
  private let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).coverage").path

  @Sendable private static func connect(_ store: Store<String, String>) {
    store.connect(when: { $0.isEmpty ? nil : $0 }, named: "search", run: { _, _ in })
  }

  @Test("the cases of the library's own types are not listed: a program asks for those that it needs")
  func casesOfTheLibrary() async {
    let store = TestStore(
      initialState: Set<ProcessSignal>(), reduce: { (_: inout Set<ProcessSignal>, _: SignalEvent) in },
      connect: { $0.connect(SignalEffect(), to: \.self) })
    await store.finish()
    let effect = store.session.coverage.withLock { $0.effects.first }
    #expect(effect?.request == "ProcessSignal" && effect?.cases == nil)
  }

  @Test func linesOfSeveralStoresAreMergedAndPrinted() async throws {
    defer { try? FileManager.default.removeItem(atPath: file) }
    for query in ["a", "b"] {
      let store = TestStore(initialState: "", reduce: { $0 = $1 }, connect: Self.connect)
      store.exhaustivity = .none
      store.send(query)
      store.answer(query, with: "")
      await store.finish()
      try store.session.coverage.withLock { $0 }.append(toFile: file)
    }
    let merged = try RequestCoverage(contentsOfFile: file)
    #expect(merged.effects.first { $0.effect == "search" }?.kinds["String"]?.runs == 2)
    let outcome = try await Program(name: "millrace").run(["coverage", file])
    #expect(outcome.exitCode == 0 && outcome.errors == "")
    #expect(outcome.output == merged.report + "\n")
    #expect(outcome.output.hasSuffix("effect, 1 outcome that no test produced\n"))
  }

  @Test func badInputIsNamed() async throws {
    let program = Program(name: "millrace")
    let missing = try await program.run(["coverage", "/no/such/file"])
    #expect(missing.exitCode == 2)
    #expect(missing.errors == "millrace: /no/such/file: cannot be read\n")
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Data("{\"effects\":[]}\nnonsense\n".utf8).write(to: URL(fileURLWithPath: file))
    let broken = try await program.run(["coverage", file])
    #expect(broken.exitCode == 2)
    #expect(broken.errors == "millrace: \(file), line 2: is not a record of request coverage\n")
    let unknown = try await program.run(["cover"])
    #expect(unknown.exitCode == 2)
    #expect(unknown.errors.hasPrefix("millrace: 'cover' is not a command\n"))
    #expect(try await program.run().output.hasPrefix("usage: millrace <command> …\n"))
  }

  @Test func rerunsDoNotCount() async {
    let rehearsed = RehearsedTest<String, String>(Rerun())
    let session = TestSession<String, String>(
      initialState: "a", serving: .answered, options: StoreOptions(), reduce: { $0 = $1 },
      connect: Self.connect, rehearsal: rehearsed)
    await rehearsed.run(session, { await $0.finish() }, at: TestPlace())
    #expect(session.coverage.withLock { $0.effects.isEmpty })
  }
}
