import Foundation
import Millrace
import MillraceStorage
import MillraceTesting
import MillraceTrace
import SampleProgram
import TestSupport
import Testing

#if os(Linux) || os(macOS)
@Suite("The command on what a program keeps")
struct WorkTests {
  private struct Order: Hashable, Codable, Sendable {
    var item: String
    var count: UInt64
  }
  private typealias Shop = DurableOutbox<Order, String, Int>

  private let folder: TemporaryFolder
  private let path: String
  private let keys: [OutboxKey]

  init() async throws {
    folder = try TemporaryFolder()
    path = folder.file("shop")
    var shop = Shop(epoch: 1, lastNumber: 0)
    shop.reduce(.loaded(StoredEntries()))
    keys = [("tea", "ann"), ("milk", "ann"), ("x", "bob"), ("y", "")].map {
      shop.append(Order(item: $0.0, count: .max), lane: $0.1)
    }
    shop.reduce(DurableOutboxEvent<Never>.failed(keys[0], "no\u{1B} line", next: .distantFuture))
    shop.reduce(DurableOutboxEvent<Never>.rejected(keys[2], reason: "unknown"))
    shop.hold(keys[3])
    shop.pause(lane: "")
    shop["ann"] = 2
    let storage = Shop.Storage(at: path)
    try await storage.flush(shop.backlog)
    await storage.close()
    let ledger = Ledger<Order>(at: folder.file("ledger"))
    let effect = PayEffect().once(
      in: ledger, key: \.item, attempt: { _ in 3 }, isFinal: { _ in false }, event: { _ in 1 })
    let store = Store(initialState: Order(item: "pay", count: 1)) { (_: inout Order, _: Int) in }
    let actions = store.actions()
    store.connect(effect, to: \.self)
    _ = await actions.first { _ in true }
    await store.shutdown()
    await ledger.close()
    try await JournalStorage<String, [String: Int?]>(at: folder.file("journal"))
      .append(["b": .set([:]), "a": .set(["x": nil, "y": 1])])
    try folder.write(Data("hello\n".utf8), to: "text")
  }

  /// Begins and does not end.
  private struct PayEffect: EffectComponent {
    func requests(in order: Order) -> Set<Order> { [order] }
    func run(_ order: Order, send: Send<Int>) async {
      await send(0)
      try? await Gate().wait()
    }
  }

  private func run(_ arguments: String...) async throws -> Program.Outcome {
    try await Program(name: "millrace").run(["work"] + arguments)
  }

  private func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in folder.names { contents[name] = try? folder.read(name) }
    return contents
  }

  @Test("what waits in each lane is listed, with the reason, and whatever else is kept")
  func lists() async throws {
    let before = try contents()
    let outcome = try await run(path, folder.file("ledger"), folder.file("journal"))
    #expect(outcome.exitCode == 0 && outcome.errors == "")
    let text = outcome.output
    #expect(text.contains("shop: outbox, 3 lanes, 3 waiting, 1 rejected, 1 values\n"), "\(text)")
    #expect(text.contains(#"  lane "": 1 waiting, oldest "#) && text.contains(", paused\n"), "\(text)")
    #expect(text.contains("    \(keys[0]): waiting, attempts: 1, last change "), "\(text)")
    #expect(text.contains(": no\\u{1B} line\n") && !text.contains("\u{1B}"), "\(text)")
    #expect(text.contains("    \(keys[2]): rejected, attempts: 1, last change "))
    #expect(text.contains(": unknown\n"))
    #expect(text.contains("    \(keys[3]): held, last change "), "\(text)")
    #expect(text.contains("ledger: ledger, 0 ended, begun and not ended: 1\n  pay: begun, attempt 3\n"))
    #expect(text.contains("journal: journal, 2 values\n"), "\(text)")
    #expect(try contents() == before, "reading changes nothing")
    let json = try JSONReader.read(try await run(path, "--json").output)
    let file = try #require(json.array?.first)
    #expect(file["lanes"]?.array?.compactMap { $0["name"]?.string } == ["", "ann", "bob"])
    let first = try #require(file["entries"]?.array?.first)
    #expect(first["payload"]?["count"] == .large("18446744073709551615") && first["attempts"] == .int(1))
    #expect(
      first["changed"]?.string != nil && first["written"]?.string != nil && first["until"]?.string != nil)
  }

  @Test("one entry is shown with its payload")
  func shows() async throws {
    let outcome = try await run(folder.file("ledger"), path, "--show", "\(keys[2])")
    #expect(outcome.exitCode == 0 && outcome.errors == "")
    #expect(
      outcome.output.hasSuffix("payload {\"count\":18446744073709551615,\"item\":\"x\"}\n"),
      "\(outcome.output)")
    #expect(outcome.output.contains("\nlane \"bob\"\nwritten 20"))
    let json = try JSONReader.read(try await run(folder.file("ledger"), "--show", "pay", "--json").output)
    #expect(json.array?.first?["condition"]?.string == "begun")
  }

  @Test("changes are asked for beside the file, accumulate, and are listed until they are taken up")
  func asks() async throws {
    let before = try folder.read("shop")
    for words in [
      ["--retry", "\(keys[2])"], ["--dismiss", "\(keys[0])"], ["--pause", "bob"], ["--resume", ""],
    ] {
      let outcome = try await run(path, words[0], words[1])
      #expect(outcome.exitCode == 0 && outcome.errors == "")
      #expect(outcome.output.hasPrefix("\(path): asked to \(words[0].dropFirst(2)) "))
    }
    #expect(try folder.read("shop") == before)
    let lines = try await run(path).output.split(separator: "\n").filter { $0.contains("asked for") }
    #expect(
      lines == [
        "  asked for and not taken up: retry \(keys[2])", "  asked for and not taken up: dismiss \(keys[0])",
        "  asked for and not taken up: pause lane \"bob\"", "  asked for and not taken up: resume lane \"\"",
      ])
    #expect(try await run(path, "--pause", "bob").exitCode == 1, "asked for already")
    #expect(try await run(folder.file("ledger"), "--dismiss", "pay").exitCode == 0)
  }

  @Test("what is not there, or not possible, is said, with a code of its own, and nothing is touched")
  func refused() async throws {
    let before = try contents()
    for (name, option, value, problem) in [
      ("shop", "--show", "nobody", "there is no entry nobody"),
      ("shop", "--retry", "\(OutboxKey(epoch: 9, number: 9))", "there is no work 0000000000000009-9"),
      ("shop", "--dismiss", "ann", "there is no work ann"),
      ("shop", "--pause", "eve", "the lane \"eve\" is not there"),
      ("shop", "--pause", "", "the lane \"\" is paused already"),
      ("shop", "--resume", "ann", "the lane \"ann\" is not paused"),
      ("ledger", "--dismiss", "tea", "there is no work tea"),
      (
        "ledger", "--retry", "pay",
        "whether work is attempted again is decided by the program"
      ),
      ("ledger", "--pause", "x", "the lane \"x\" is not there"),
      ("journal", "--dismiss", "a", "there is no work a"),
    ] {
      let outcome = try await run(folder.file(name), option, value)
      #expect(outcome.exitCode == 1 && outcome.output == "")
      #expect(outcome.errors == "millrace: \(folder.file(name)): \(problem)\n")
    }
    #expect(try contents() == before)
  }

  @Test("a file that is damaged, foreign or not there is named, and the others are read")
  func bad() async throws {
    var bytes = try folder.read("shop")
    try folder.write(bytes.prefix(400), to: "cut")
    bytes[bytes.startIndex + 300] ^= 1
    try folder.write(bytes, to: "damaged")
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: path)
    let before = try contents()
    for (name, problem, code) in [
      ("text", "no outbox, journal or ledger: \(folder.file("text"))", 2),
      ("gone", "there is no file: \(folder.file("gone"))", 2),
      ("gone/too", "\(folder.file("gone/too")): no such folder: \(folder.file("gone"))", 2),
      ("link", "a symbolic link is in its place: \(folder.file("link"))", 2),
      ("", "a folder is in its place: ", 2),
      ("damaged", "\(folder.file("damaged")): damaged, differs from its checksum", 3),
      ("cut", "\(folder.file("cut")): damaged, 400 bytes where it says ", 3),
    ] as [(String, String, Int32)] {
      let outcome = try await run(folder.file(name), path)
      #expect(outcome.exitCode == code)
      #expect(outcome.errors.hasPrefix("millrace: \(problem)"), "\(outcome.errors)")
      #expect(outcome.output.contains("shop: outbox, 3 lanes"), "the other one is read")
      #expect(try await run(folder.file(name), "--pause", "ann").exitCode == code)
      #expect(try await run(folder.file(name), path, "--json").errors == outcome.errors)
    }
    #expect(try contents() == before)
    #expect(try await run().exitCode == 2)
    #expect(try await run(path, "--show", "a", "--pause", "b").exitCode == 2)
    #expect(try await run(path, "--grep", "a").exitCode == 2)
  }
}
#endif
