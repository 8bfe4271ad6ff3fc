import Foundation
import Millrace
import MillraceCollections
import MillraceEffects
import MillraceStorage
import MillraceTesting
import MillraceTrace
import TestSupport
import Testing

/// Files of a tagged version never change, and all later versions open them. The files of the version to come are written
/// anew by `MILLRACE_KEEP=$PWD/Tests/KeptFilesTests/Files/0.1 swift test --filter KeptFilesTests`.
@Suite("Files of each version are opened by later ones", .serialized)
struct KeptFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Loads a value of a version.
  private func load<Value: Codable & Equatable & Sendable>(
    _ name: String, of version: String, writing value: Value
  ) async throws -> Saving<Value> {
    let path = try await Kept.copy(name, of: version, to: folder) { path in
      let storage = FileStorage<Value>(at: path)
      try await storage.save(value, generation: 7)
      await storage.close()
    }
    let stored = try await FileStorage<Value>(at: path).load()
    #expect(stored == StoredValue(value: value, generation: 7, source: .current))
    return Saving(stored, or: value)
  }

  @Test("at least one version has kept files") func versions() { #expect(!Kept.versions.isEmpty) }

  @Test("a value", arguments: Kept.versions)
  func value(version: String) async throws {
    let saving = try await load("value", of: version, writing: Errands.state)
    #expect(Errands.LookupEffect().requests(in: saving.value) == Errands.lookups)
    let storage = FileStorage<Errands.State>(at: folder.file("value"))
    #expect(StorageEffect(storage).requests(in: saving).isEmpty)
    try await storage.verify(Errands.LookupEffect(), asksFor: Errands.lookups) { $0.value ?? Errands.State() }
  }

  @Test("a journal", arguments: Kept.versions)
  func journal(version: String) async throws {
    let path = try await Kept.copy("journal", of: version, to: folder) { path in
      let storage = JournalStorage<String, Int>(at: path)
      try await storage.append(["milk": .set(0), "salt": .set(4)])
      try await storage.append(["milk": .set(4), "bread": .set(0), "salt": .removed])
      await storage.close()
    }
    let storage = JournalStorage<String, Int>(at: path)
    try await storage.verify(Errands.LookupEffect(), asksFor: Errands.lookups) {
      Errands.state(of: $0.entries)
    }
    let stored = try await storage.load()
    #expect(stored == StoredEntries(entries: Errands.entries))
    var journaling = Journaling<String, Int>()
    journaling.reduce(.loaded(stored))
    #expect(JournalEffect(storage).requests(in: journaling.backlog).isEmpty)
    try await storage.append(["salt": .set(0)])
    #expect(try await storage.load().entries.count == 3)
  }

  struct Payment: Codable, Hashable, Sendable {
    var id: String
    var attempt = 1
  }

  enum Paying: Sendable {
    case paid(Payment)
    case once(OnceEvent<Payment>)
  }

  /// Pays, but for what the gate keeps back.
  struct PaymentEffect: EffectComponent {
    var gate = Gate()
    func requests(in payments: Set<Payment>) -> Set<Payment> { payments }
    func run(_ payment: Payment, send: Send<Paying>) async {
      do { if payment.id == "rent" { try await gate.wait() } } catch { return }
      await send(.paid(payment))
    }
  }

  private static let payments: Set = [Payment(id: "rent"), Payment(id: "tax")]

  private func once(_ effect: PaymentEffect, in ledger: Ledger<Payment>) -> OnceEffect<PaymentEffect> {
    effect.once(in: ledger, key: \.id, attempt: \.attempt, event: Paying.once)
  }

  @Test("a ledger", arguments: Kept.versions)
  func ledger(version: String) async throws {
    let path = try await Kept.copy("ledger", of: version, to: folder) { path in
      let (ledger, effect) = (Ledger<Payment>(at: path), PaymentEffect())
      let store = Store(initialState: Self.payments) { (payments: inout Set<Payment>, action: Paying) in
        if case .paid(let payment) = action { payments.remove(payment) }
      }
      store.connect(once(effect, in: ledger))
      try await effect.gate.waiters(atLeast: 1)
      try await eventually { store.state == [Payment(id: "rent")] }
      await store.shutdown()
      await ledger.close()
    }
    let ledger = Ledger<Payment>(at: path)
    let effect = once(PaymentEffect(), in: ledger)
    #expect(effect.requests(in: Self.payments) == Self.payments)
    let sent = Recorder<Paying>()
    for id in ["rent", "tax"] { await effect.run(Payment(id: id), send: .recording(into: sent)) }
    guard case .once(.interrupted(Payment(id: "rent"), key: "rent")) = sent.values.first,
      case .once(.ended(Payment(id: "tax"), key: "tax")) = sent.values.last
    else {
      Issue.record("\(sent.values)")
      return
    }
    let events = Recorder<LedgerEvent<Payment>>()
    try await LedgerEffect(ledger).run(.open(attempt: 1), send: .recording(into: events))
    #expect(events.values == [.interrupted(Payment(id: "rent"), key: "rent"), .opened(damaged: [])])
    var interruptions = Interruptions<Payment>()
    for event in events.values { interruptions.reduce(event) }
    #expect(LedgerEffect(ledger).requests(in: interruptions).isEmpty)
    interruptions.giveUp("rent")
    #expect(LedgerEffect(ledger).requests(in: interruptions) == [.forget(key: "rent", attempt: 1)])
  }

  private typealias Journaled = DurableOutbox<String, String, Int>

  @Test("a durable outbox from before it had a journal is read", arguments: Kept.versions)
  func formerOutbox(version: String) async throws {
    func entry(_ number: UInt64, _ payload: String) -> FormerOutbox<String>.Entry {
      FormerOutbox.Entry(
        key: OutboxKey(epoch: 5, number: number), lane: String(payload.prefix(1)), payload: payload)
    }
    let former = FormerOutbox(
      entries: [entry(1, "a1"), entry(2, "a2"), entry(3, "b1")],
      rejected: [FormerOutbox.Rejection(entry: entry(4, "c1"), reason: "unknown")], epoch: 5, lastNumber: 4)
    let saving = try await load("durable-outbox", of: version, writing: former)
    var outbox = Journaled(epoch: 6, lastNumber: 0)
    outbox.reduce(.loaded(StoredEntries()))
    outbox.adopt(saving.value)
    outbox.reduce(.saved(generation: outbox.backlog.generation))
    #expect(outbox.due.entries.map(\.payload) == ["a1", "b1"])
    #expect(outbox.append("d") == OutboxKey(epoch: 5, number: 5))
  }

  @Test("a durable outbox", arguments: Kept.versions)
  func durableOutbox(version: String) async throws {
    let path = try await Kept.copy("outbox-journal", of: version, to: folder) { path in
      let storage = Journaled.Storage(at: path)
      var outbox = Journaled(epoch: 5, lastNumber: 100)
      outbox.reduce(.loaded(StoredEntries()))
      let keys = ["a1", "a2", "b1", "c1"].map { outbox.append($0, lane: String($0.prefix(1))) }
      outbox.replace(keys[0], by: "A1")
      outbox.reduce(DurableOutboxEvent<Never>.rejected(keys[3], reason: "unknown"))
      outbox.pause(lane: "b")
      outbox["sold"] = 4
      try await storage.flush(outbox.backlog)
      await storage.close()
    }
    var outbox = Journaled(epoch: 6, lastNumber: 5000)
    outbox.reduce(.loaded(try await Journaled.Storage(at: path).load()))
    #expect(outbox.due.entries.map(\.payload) == ["A1"] && outbox.values == ["sold": 4])
    #expect(outbox.due.entries.first?.key == OutboxKey(epoch: 5, number: 101, revision: 1))
    #expect(outbox.rejected == [OutboxKey(epoch: 5, number: 104)] && outbox.isPaused(lane: "b"))
    #expect(outbox.append("d") == OutboxKey(epoch: 5, number: 5001))
  }

  @Test("an inbox", arguments: Kept.versions)
  func inbox(version: String) async throws {
    var inbox = Inbox()
    for (number, lane) in [(2, "a"), (4, "b")] as [(UInt64, String)] {
      _ = inbox.accept(OutboxKey(epoch: 5, number: number), lane: lane)
    }
    let loaded = try await load("inbox", of: version, writing: inbox).value
    #expect(loaded.hasAccepted(OutboxKey(epoch: 5, number: 2), lane: "a"))
    #expect(!loaded.hasAccepted(OutboxKey(epoch: 5, number: 3), lane: "a"))
  }

  @Test("an outbox", arguments: Kept.versions)
  func outbox(version: String) async throws {
    var outbox = Outbox<String>()
    let ids = ["saved", "sent", "printed"].map { outbox.append($0) }
    outbox.reduce(.began(ids[0], claim: 3))
    outbox.reduce(.failed(ids[1], .thrown("no paper")))
    let loaded = try await load("outbox", of: version, writing: outbox).value
    let effect = OutboxEffect<String>(.sideBySide(limit: 9)) { _ in }
    #expect(
      effect.requests(in: loaded) == [
        .init(entry: ids[0], element: "saved", claim: 3),
        .init(entry: ids[2], element: "printed", claim: nil),
      ])
  }

  @Test("a navigation", arguments: Kept.versions)
  func navigation(version: String) async throws {
    let navigation = Navigation(["inbox", "message"])
    let loaded = try await load("navigation", of: version, writing: navigation).value
    let effect = RoutingEffect<String> { _ in }
    #expect(effect.requests(in: loaded) == effect.requests(in: navigation))
    #expect(effect.requests(in: loaded).map(\.description) == ["push #1 inbox"])
  }

  @Test("an undo history", arguments: Kept.versions)
  func undo(version: String) async throws {
    var history = Undoable(Errands.State(), limit: 9)
    for title in ["milk", "bread", "salt"] { history.record { $0.wanted.append(title) } }
    history.undo()
    var loaded = try await load("undo", of: version, writing: history).value
    #expect(
      Errands.LookupEffect().requests(in: loaded.present) == [.init(title: "milk"), .init(title: "bread")])
    loaded.redo()
    #expect(loaded.present.wanted == ["milk", "bread", "salt"])
    for _ in 1...3 { loaded.undo() }
    #expect(loaded.present == Errands.State() && !loaded.canUndo)
  }

  @Test("a recording", arguments: Kept.versions)
  func recording(version: String) async throws {
    try await replay("recording", of: version) { .file($0) }
  }

  @Test("the ring of a flight recorder", arguments: Kept.versions)
  func ring(version: String) async throws {
    try await replay("ring", of: version) { .ring($0, bytes: 64 << 10) }
  }

  private func replay(
    _ name: String, of version: String, to destination: (String) -> TraceDestination
  ) async throws {
    let path = try await Kept.copy(name, of: version, to: folder) { path in
      try await Errands.record(to: destination(path), build: "kept")
    }
    let replay = try Replay(of: path, reduce: Errands.reduce) {
      $0.connect(Errands.LookupEffect(), named: "lookups")
    }
    guard case .same(let summary) = replay.verdict() else {
      Issue.record("\(replay.verdict())")
      return
    }
    #expect(summary.actions == 3 && summary.snapshots >= 1 && summary.decisions >= 3, "\(summary)")
    #expect(summary.notReplayed.isEmpty && summary.notRecorded.isEmpty)
    #expect(try replay.lastState() == Errands.state)
  }
}
