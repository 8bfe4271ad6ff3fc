import Foundation
import Millrace
import MillraceTesting
import MillraceTrace
import TestSupport
import Testing

@Suite("A recording tells what happened")
struct RecordingTests {
  @Test("actions have their cause, runs their beginning and their end")
  func causes() async throws {
    let text = try TraceText(await record { $0.dispatch(.wanted("tea", count: 2)) })
    #expect(text.actions.map(\.kind) == [".wanted", ".priced"])
    let (first, second) = (text.actions[0], text.actions[1])
    #expect(first.cause.run == nil)
    #expect(first.cause.site.contains("RecordingTests.swift:"))
    #expect(first.payload == .json(try encoded(Shop.Action.wanted("tea", count: 2))))
    #expect(second.cause.run == 1)
    #expect(second.cause.startedBy == 1)
    guard case .start(let start) = text.runs[0].event else { throw Unexpected() }
    #expect((start.name, start.startedBy) == ("prices", 1))
    #expect(start.request == .json(try encoded(Shop.Price(name: "tea", count: 2))))
    #expect(text.runs[1].event == .answer(by: 2))
    #expect(text.runs[2].event == .returned(fenced: 0))
    #expect(text.header.action == "Shop.Action")
    #expect(text.snapshots.first?.whole?.connections == [:])
    #expect(text.tornLine == nil)
    #expect(text.damage == nil)
    if case .end = text.lines.last?.line {} else { Issue.record("the recording has no end") }
  }

  @Test("a failure is told with its error, and a request that is not Encodable as text, said once")
  func failure() async throws {
    let bytes = try await record { store in
      store.dispatch(.wanted("", count: 1))
      store.dispatch(.auditAsked(7))
      store.dispatch(.auditAsked(8))
    }
    let text = try TraceText(bytes)
    let failures = text.runs.compactMap { if case .fail(let error) = $0.event { error } else { nil } }
    #expect(failures == ["Failed(name: \"nothing\")"])
    let requests = text.runs.compactMap {
      if case .start(let start) = $0.event { start.request } else { nil }
    }
    #expect(requests.contains(.text("Audit(number: 7)")))
    #expect(text.notes.filter { $0.kind == "text only" }.map(\.text) == ["Shop.Audit"])
  }

  @Test("a fenced result is told with its run, and the end of that with the action that made it unwanted")
  func fenced() async throws {
    let gate = Gate()
    let prices = Shop.PriceEffect { _ in await gate.waitIgnoringCancellation() }
    let text = try TraceText(
      await record(prices: prices) { store in
        store.dispatch(.wanted("tea", count: 2))
        try? await gate.waiters(atLeast: 1)
        await store.send(.unwanted("tea"))
        gate.open()
      })
    let fenced = try #require(
      text.lines.compactMap { if case .turnedAway(let line) = $0.line { line } else { nil } }.first)
    #expect(
      (fenced.fate, fenced.kind, fenced.cause.run, fenced.cause.startedBy) == ("fenced", ".priced", 1, 1))
    #expect(text.runs.map(\.event).contains(.withdraw(by: 2)))
    #expect(text.runs.last?.event == .returned(fenced: 1))
  }

  @Test("snapshots are taken every so many actions, with the state after them")
  func snapshots() async throws {
    let text = try TraceText(
      await record(every: 4) { store in
        for number in 1...40 { await store.send(.auditAsked(number % 3 == 0 ? 0 : number)) }
      })
    #expect(text.snapshots.count > 2)
    var state = Shop.State()
    var states: [UInt64: Shop.State] = [0: state]
    for action in text.actions {
      guard case .json(let json) = action.payload else { throw Unexpected() }
      Shop.reduce(&state, try decoded(Shop.Action.self, from: json))
      states[action.sequence] = state
    }
    for snapshot in text.snapshots {
      guard case .json(let json) = snapshot.state else { throw Unexpected() }
      #expect(try decoded(Shop.State.self, from: json) == states[snapshot.sequence])
    }
    #expect(text.notes.filter { $0.kind == "not deterministic" }.isEmpty)
  }

  @Test("a recording that begins late has the state, the connections and the runs in progress")
  func late() async throws {
    let gate = Gate()
    let store = Shop.store(prices: Shop.PriceEffect { _ in await gate.waitIgnoringCancellation() })
    await store.send(.wanted("tea", count: 2))
    let memory = TraceMemory()
    let recording = try store.record(to: .memory(memory))
    await store.send(.auditAsked(1))
    gate.open()
    await store.settled()
    try await recording.finish()
    let text = try TraceText(memory.bytes)
    #expect(try TraceQuestions(of: memory).inspection.contains("it has nothing of what was before action 2"))
    let whole = try #require(text.snapshots.first?.whole)
    #expect(whole.sortedConnections.map(\.name) == ["prices", "audits"])
    #expect(whole.sortedRuns.map(\.start.name) == ["prices"])
    #expect(whole.sortedRuns.map(\.start.startedBy) == [1])
    #expect(text.snapshots.first?.sequence == 1)
    #expect(text.actions.first?.sequence == 2)
  }

  @Test("a recording leaves out itself, and another recording is none of its business")
  func itself() async throws {
    let store = Shop.store()
    let (one, other) = (TraceMemory(), TraceMemory())
    let first = try store.record(to: .memory(one))
    let second = try store.record(to: .memory(other))
    await store.send(.auditAsked(1))
    await store.settled()
    try await second.finish()
    try await first.finish()
    let text = String(decoding: one.bytes, as: UTF8.self)
    #expect(!text.contains("\"on\":true,\"t\":0,\"n\":\"recording\""))
    #expect(try TraceText(other.bytes).actions.count == 2)
  }

  @Test("a file that cannot be made is said with its path")
  func noFile() throws {
    let store = Shop.store()
    let failure = #expect(throws: TraceFailure.self) { try store.record(to: .file("/no/such/place")) }
    #expect(failure?.description == "/no/such/place cannot be written: No such file or directory")
  }

  @Test("a reducer that is not deterministic is found, and the actions between which it is")
  func undetermined() async throws {
    let memory = TraceMemory()
    let calls = Lock(0)
    let store = Store(initialState: 0) { (state: inout Int, step: Int) in
      // The eleventh call of the reducer gives another state than any call before and after.
      state +=
        step
        + calls.withLock {
          $0 += 1
          return $0 == 11 ? 100 : 0
        }
    }
    let recording = try store.record(to: .memory(memory), snapshotEvery: 4)
    for _ in 0..<40 {
      await store.send(1)
      try await recording.flush()
    }
    try await recording.finish()
    let note = try #require(try TraceText(memory.bytes).notes.first { $0.kind == "not deterministic" })
    #expect(note.text.hasPrefix("between actions "))
    #expect(try TraceText(memory.bytes).notes.count { $0.kind == "not deterministic" } == 1)
  }

  @Test("the end of a store is told")
  func end() async throws {
    let store = Shop.store()
    let memory = TraceMemory()
    try store.record(to: .memory(memory))
    store.dispatch(.auditAsked(1))
    await store.settled()
    await store.shutdown()
    let text = try TraceText(memory.bytes)
    let kinds = text.lines.map { line -> String in
      switch line.line {
      case .action(let line): line.kind
      case .end: "end"
      default: "-"
      }
    }
    #expect(kinds.filter { $0 != "-" } == [".auditAsked", ".audited", "end"])
  }

  @Test("waits of runs are told with their reason")
  func waits() async throws {
    let gate = Gate()
    let prices = Shop.PriceEffect { _ in
      await withWaitReason("a till") { await gate.waitIgnoringCancellation() }
    }
    let text = try TraceText(
      await record(prices: prices) { store in
        await store.send(.wanted("tea", count: 1))
        try? await eventually { gate.waiterCount > 0 }
        gate.open()
      })
    let waits = text.lines.compactMap { if case .wait(let line) = $0.line { line } else { nil } }
    let till = try #require(waits.first { $0.reason?.contains("a till") == true })
    #expect(till.generation == 1)
    #expect(waits.contains { $0.number == till.number && $0.reason == nil })
  }
}

struct Unexpected: Error {}
