import Foundation
import Millrace
import MillraceTesting
import TestSupport
import Testing

@testable import MillraceStorage

private typealias Outbox = DurableOutbox<String, String, Int>
private typealias Event = DurableOutboxEvent<String>

@Suite("Changes that are asked for from outside")
struct WorkCommandTests {
  private let moment = Date(timeIntervalSince1970: 1000)

  /// An outbox with a failed, a waiting, a rejected and a held entry, all on disk.
  private func outbox() -> (Outbox, keys: [OutboxKey]) {
    var outbox = Outbox(epoch: 1, lastNumber: 0)
    outbox.reduce(.loaded(Outbox.Stored()))
    let keys = [("a1", "a"), ("a2", "a"), ("b1", "b"), ("c1", "c")].map { outbox.append($0.0, lane: $0.1) }
    outbox.reduce(Event.failed(keys[0], "no line", next: moment))
    outbox.reduce(Event.rejected(keys[2], reason: "unknown"))
    outbox.hold(keys[3])
    outbox.reduce(.saved(generation: outbox.backlog.generation))
    return (outbox, keys)
  }

  private func commanded(_ changes: WorkCommand.Change...) -> Event {
    .commanded(changes.enumerated().map { WorkCommand(name: "\($0.offset)", change: $0.element) })
  }

  @Test("retry delivers what waits, is held or was rejected; dismiss removes; a lane is paused and resumed")
  func changes() {
    var (outbox, keys) = outbox()
    outbox.reduce(
      commanded(.retry("\(keys[0])"), .retry("\(keys[2])"), .retry("\(keys[3])"), .dismiss("\(keys[1])")))
    outbox.reduce(.saved(generation: outbox.backlog.generation))
    #expect(outbox.due.entries.map(\.payload).sorted() == ["a1", "b1", "c1"] && outbox.due.moment == nil)
    #expect(outbox.entries.map(\.payload) == ["a1", "c1", "b1"] && outbox.rejected.isEmpty)
    outbox.reduce(Event.commanded([WorkCommand(name: "p", change: .pause(lane: "a"))]))
    #expect(outbox.isPaused(lane: "a") && outbox.due.entries.map(\.payload).sorted() == ["b1", "c1"])
    outbox.reduce(Event.commanded([WorkCommand(name: "r", change: .resume(lane: "a"))]))
    #expect(!outbox.isPaused(lane: "a"))
  }

  @Test("retry delivers a returned entry now, whatever delay its receiver's answers have earned it")
  func returned() {
    var (outbox, keys) = outbox()
    outbox.reduce(Event.returned(keys[1], nil, next: moment))
    outbox.remove(keys[0])
    outbox.reduce(.saved(generation: outbox.backlog.generation))
    outbox.reduce(commanded(.retry("\(keys[1])")))
    outbox.reduce(.saved(generation: outbox.backlog.generation))
    #expect(outbox.due.entries.map(\.key) == [keys[1]] && outbox.due.moment == nil)
  }

  @Test("a command whose result was not on disk when the journal had to be loaded again is made once")
  func reloaded() {
    var (outbox, _) = outbox()
    let event = commanded(.pause(lane: "b"))
    let before = outbox.records
    outbox.reduce(event)
    outbox.resume(lane: "b")
    outbox.reduce(.failed(.notLoaded("f"), generation: outbox.backlog.generation, attempt: 1))
    outbox.reduce(.loaded(Outbox.Stored(entries: before)))
    outbox.reduce(event)
    #expect(!outbox.isPaused(lane: "b"))
  }

  @Test("a change for which there is nothing left to do is dropped, and counts as made")
  func nothingToDo() {
    var (outbox, _) = outbox()
    let records = outbox.records
    outbox.reduce(
      commanded(
        .retry("no key"), .retry("\(OutboxKey(epoch: 9, number: 9))"), .dismiss("x"), .resume(lane: "z")))
    outbox.reduce(.saved(generation: outbox.backlog.generation))
    #expect(outbox.due.commands?.saved == ["0", "1", "2", "3"])
    var other = outbox.records
    (other[.numbers], other[.numbers]) = (nil, records[.numbers])
    #expect(other == records)
  }

  @Test("a change is made once, also if the program ends between its save and the removal of its file")
  func once() {
    var (outbox, _) = outbox()
    let event = commanded(.pause(lane: "b"))
    outbox.reduce(event)
    #expect(outbox.due.commands?.saved == [], "its result is not on disk")
    outbox.resume(lane: "b")
    outbox.reduce(event)
    #expect(!outbox.isPaused(lane: "b"), "the look finds it again, as it is not saved yet")
    outbox.reduce(.saved(generation: outbox.backlog.generation))
    #expect(outbox.due.commands?.saved == ["0"])
    var next = Outbox(epoch: 2, lastNumber: 5000)
    next.reduce(.loaded(Outbox.Stored(entries: outbox.records)))
    #expect(next.due.commands == TakenCommands(isKnown: false, saved: ["0"]))
    next.reduce(event)
    #expect(!next.isPaused(lane: "b"))
    next.reduce(Event.commanded([WorkCommand(name: "later", change: .pause(lane: "b"))]))
    #expect(next.isPaused(lane: "b"))
    next.reduce(.saved(generation: next.backlog.generation))
    #expect(next.due.commands?.saved == ["later"], "the file of the other one is gone")
  }

  @Test("nothing is taken up before the journal is loaded, or while another file is in its place")
  func notLoaded() {
    var outbox = Outbox(epoch: 1, lastNumber: 0)
    outbox.reduce(commanded(.pause(lane: "a")))
    #expect(!outbox.isPaused(lane: "a") && outbox.due.commands == nil)
    outbox = self.outbox().0
    outbox.append("d")
    outbox.reduce(.failed(.notLoaded("f"), generation: outbox.backlog.generation, attempt: 1))
    #expect(outbox.due.commands == nil)
  }

  @Test(
    "files of outboxes are readable with and without what commands add to them, by this version and the former one"
  )
  func formats() throws {
    typealias Record = OutboxRecord<String, Int>
    enum FormerRecord: Codable, Equatable {
      case entry(String, lane: String, place: Int? = nil)
      case numbers(epoch: UInt64, last: UInt64)
    }
    let format = StorageFormat<Record>.json()
    let (entry, numbers) = (
      try format.encode(.entry("a", lane: "x")), try format.encode(.numbers(epoch: 1, last: 2, taken: ["n"]))
    )
    #expect(String(decoding: entry, as: UTF8.self).hasPrefix(#"{"at":"#))
    #expect(try format.decode(entry, 1) == .entry("a", lane: "x"))
    let decoder = JSONDecoder()
    #expect(try decoder.decode(FormerRecord.self, from: entry) == .entry("a", lane: "x"))
    #expect(try decoder.decode(FormerRecord.self, from: numbers) == .numbers(epoch: 1, last: 2))
    let former = try JSONEncoder().encode(FormerRecord.numbers(epoch: 1, last: 2))
    #expect(try format.decode(former, 1) == .numbers(epoch: 1, last: 2))
    #expect(
      try format.decode(JSONEncoder().encode(FormerRecord.entry("a", lane: "x")), 1) == .entry("a", lane: "x")
    )
  }

  // MARK: The effect

  private enum Action: Sendable {
    case outbox(Event)
    case journal(Outbox.Journal)
  }

  private func makeStore() -> Store<Outbox, Action> {
    Store(initialState: Outbox(epoch: 1, lastNumber: 0)) { outbox, action in
      switch action {
      case .outbox(let event): outbox.reduce(event)
      case .journal(let event): outbox.reduce(event)
      }
    }
  }

  @Test(
    "commands are taken up before anything is delivered, then every second, and removed when they are on disk"
  )
  func looks() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("shop")
    var (before, keys) = outbox()
    before = Outbox(records: before.records, backlog: Outbox.Backlog(), epoch: 1, lastNumber: 10)
    let stored = Outbox.Storage(at: path)
    _ = try await stored.load()
    try await stored.append(before.records.mapValues { .set($0) })
    await stored.close()
    let commands = CommandFolder(of: path)
    try commands.add(.dismiss("\(keys[0])"))
    try folder.write(Data("other".utf8), to: "shop.commands/other")

    let (clock, delivered, store) = (TestClock(), Recorder<String>(), makeStore())
    let storage = Outbox.Storage(at: path)
    let effect = DurableOutboxEffect<String, String>(
      operated: path, wallClock: { [moment] in moment }, clock: clock,
      deliver: { entry in
        delivered.append(entry.payload)
        return .received()
      })
    store.connect(effect, to: \.due, action: Action.outbox, longRunning: true)
    store.connect(JournalEffect(storage), to: \.backlog, action: Action.journal)
    _ = await store.first { $0.count == 1 && $0.due.commands?.saved.isEmpty == false }
    // The look that removes them may still have to begin.
    try await eventually { commands.contents().commands.isEmpty }
    try await clock.sleepers(atLeast: 1)
    #expect(delivered.values == ["a2"], "a1 was dismissed, b1 is rejected and c1 held")
    #expect(commands.contents().commands.isEmpty && commands.contents().others == ["other"])

    try FileManager.default.removeItem(atPath: folder.file("shop.commands/other"))
    try commands.add(.retry("\(keys[3])"))
    clock.advance(by: .seconds(1))
    _ = await store.first { $0.count == 0 && $0.isSaved }
    #expect(delivered.values == ["a2", "c1"])
    try await eventually { !folder.names.contains("shop.commands") }
    await store.shutdown()
  }

  @Test("an effect that is not operated looks for nothing")
  func notOperated() {
    let due = outbox().0.due
    let effect = DurableOutboxEffect<String, String> { _ in .received() }
    #expect(effect.requests(in: due).allSatisfy { if case .look = $0 { false } else { true } })
    let operated = DurableOutboxEffect<String, String>(operated: "/nowhere/f") { _ in .received() }
    #expect(operated.requests(in: due) == [.look(TakenCommands(), until: moment)])
  }

  // MARK: Ledgers

  private func files(_ path: String, on disk: any Disk = PosixDisk()) -> LedgerFiles<String> {
    LedgerFiles(path, format: .json(), remembering: 10, disk: disk)
  }

  @Test("a ledger forgets dismissed work once, when it is opened")
  func ledger() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("ledger")
    var first = files(path)
    for key in ["a", "b"] as [LedgerKey] { _ = try first.begin("work \(key)", key: key, attempt: 1) }
    let commands = CommandFolder(of: path)
    try commands.add(.dismiss("a"))
    try commands.add(.dismiss("never begun"))
    try commands.add(.pause(lane: "x"))
    first.close()
    var second = files(path)
    #expect(try second.open().interrupted.map(\.key) == ["b"])
    #expect(commands.contents().commands.map(\.change) == [.pause(lane: "x")], "which is not for a ledger")
    #expect(try second.begin("work a", key: "a", attempt: 1) == .begun)
  }

  @Test("a dismissal of an attempt that waits while a later one begins leaves the later one")
  func laterAttempt() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("ledger")
    var first = files(path)
    _ = try first.begin("work", key: "a", attempt: 1)
    try KeptWork(contentsOf: path).ask(.dismiss("a"))
    _ = try first.begin("work", key: "a", attempt: 2)
    first.close()
    var second = files(path)
    #expect(try second.open().interrupted.map(\.key) == ["a"])
    #expect(CommandFolder(of: path).contents().commands.isEmpty)
  }

  @Test("what cannot be written of a dismissal stays asked for")
  func ledgerOnAFullDisk() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("ledger")
    var first = files(path)
    _ = try first.begin("work", key: "a", attempt: 1)
    first.close()
    try CommandFolder(of: path).add(.dismiss("a"))
    var full = files(path, on: ScriptedDisk(failingAfter: 0, with: .diskFull(path)))
    #expect(try full.open().interrupted.map(\.key) == ["a"])
    #expect(CommandFolder(of: path).contents().commands.count == 1)
    full.close()
    var second = files(path)
    #expect(try second.open().interrupted.isEmpty)
    #expect(folder.names == ["ledger", "ledger.lock"])
  }

  @Test("a command is behind all others, also if the clock was set back; large and unfinished files are none")
  func odd() throws {
    let folder = try TemporaryFolder()
    let commands = CommandFolder(of: folder.file("f"))
    let future = UInt64(Date.distantFuture.timeIntervalSince1970) * 1_000_000
    try commands.add(.resume(lane: "a"))
    let bytes = try JSONEncoder().encode(WorkCommand.Change.pause(lane: "a"))
    try folder.write(bytes, to: "f.commands/\(future)-1")
    try folder.write(bytes, to: "f.commands/\(future)-2.new")
    try folder.write(bytes + Data(repeating: 0x20, count: 65_536), to: "f.commands/\(future)-3")
    try commands.add(.resume(lane: "b"))
    let found = commands.contents()
    #expect(found.commands.map(\.change) == [.resume(lane: "a"), .pause(lane: "a"), .resume(lane: "b")])
    #expect(found.others == ["\(future)-2.new", "\(future)-3"])
  }

  @Test("a command that cannot be read is not taken for one that was removed")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("f")
    for lane in ["a", "b"] { try CommandFolder(of: path).add(.pause(lane: lane)) }
    let reads = Lock(0)
    let disk = ScriptedDisk.reading({ _ throws(StorageFailure) in
      let isSecond = reads.withLock { reads in
        reads += 1
        return reads == 2
      }
      if isSecond { throw .unreadable("no descriptor", errorNumber: EMFILE) }
    })
    let found = CommandFolder(of: path, disk: disk).contents()
    #expect(found.commands.map(\.change) == [.pause(lane: "a")] && found.others.count == 1 && !found.isWhole)
    #expect(CommandFolder(of: path, disk: disk).contents().isWhole)
  }

  @Test("a journal that is removed takes what was asked for with it")
  func removed() async throws {
    let folder = try TemporaryFolder()
    let storage = Outbox.Storage(at: folder.file("shop"))
    try await storage.append(outbox().0.records.mapValues { .set($0) })
    try KeptWork(contentsOf: folder.file("shop")).ask(.pause(lane: "a"))
    try await storage.remove()
    #expect(folder.names.isEmpty)
  }

  @Test("payloads are shown as the JSON that they are: deep ones, long numbers, strings")
  func payloads() {
    let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    let texts = [
      deep, #"{"a":12345678901234567.89,"b":[null,true,-1,1e+300]}"#, "5", #""5""#, "18446744073709551615",
    ]
    for text in texts { #expect(AnyJSON(Data(text.utf8)).json == text) }
    #expect(AnyJSON(Data("5".utf8)) != AnyJSON(Data(#""5""#.utf8)))
  }

  @Test("several commands accumulate in the order in which they were asked for, from many threads")
  func accumulate() async throws {
    let folder = try TemporaryFolder()
    let commands = CommandFolder(of: folder.file("f"))
    for number in 1...5 { try commands.add(.retry("\(number)")) }
    #expect(commands.contents().commands.map(\.change) == (1...5).map { .retry("\($0)") })
    await withTaskGroup { group in
      for number in 1...40 {
        group.addTask {
          do { try commands.add(.pause(lane: "\(number)")) } catch { Issue.record("\(error)") }
        }
        group.addTask {
          // A program that takes up what is there, and removes the folder.
          for command in commands.contents().commands {
            if case .retry = command.change { commands.remove([command.name]) }
          }
        }
      }
    }
    #expect(Set(commands.contents().commands.map(\.change)) == Set((1...40).map { .pause(lane: "\($0)") }))
  }
}
