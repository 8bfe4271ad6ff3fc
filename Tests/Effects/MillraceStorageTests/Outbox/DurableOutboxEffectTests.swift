import Foundation
import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

@testable import MillraceStorage

private typealias Outbox = DurableOutbox<String, String, Int>
private typealias Event = DurableOutboxEvent<String>

@Suite struct DurableOutboxEffectTests {
  private struct Refused: Error {}
  private let start = Date(timeIntervalSince1970: 1000)

  private enum Action: Sendable {
    case outbox(Event)
    case journal(Outbox.Journal)
  }

  private func makeStore(_ outbox: Outbox, _ events: Recorder<Event> = Recorder()) -> Store<Outbox, Action> {
    Store(initialState: outbox, on: .immediate) { outbox, action in
      switch action {
      case .outbox(let event):
        events.append(event)
        outbox.reduce(event)
        if case .returned(let key, let theirs?, _) = event {
          outbox.replace(key, by: "merged with \(theirs)")
        }
      case .journal(let event): outbox.reduce(event)
      }
      outbox.save()
    }
  }

  private func filled(_ payloads: [(String, String)]) -> Outbox {
    var outbox = Outbox.loaded()
    for (payload, lane) in payloads { outbox.append(payload, lane: lane) }
    outbox.save()
    return outbox
  }

  @Test("as many lanes are served at once as are allowed")
  func lanes() {
    let outbox = filled([("a1", "a"), ("a2", "a"), ("b1", "b"), ("c1", "c"), ("b2", "b")])
    func asked(lanes: Int) -> Set<String> {
      let effect = DurableOutboxEffect<String, String>(lanes: lanes) { _ in .received() }
      return Set(
        effect.requests(in: outbox.due).map {
          if case .deliver(let entry) = $0 { entry.payload } else { "wait" }
        })
    }
    #expect(asked(lanes: 16) == ["a1", "b1", "c1"])
    #expect(asked(lanes: 2) == ["a1", "b1"])
    #expect(asked(lanes: 0) == ["a1"])
  }

  @Test("a delivery that fails is told and tried again, under the same key, while other lanes go on")
  func retried() async throws {
    let (clock, tried, events) = (TestClock(), Recorder<OutboxKey>(), Recorder<Event>())
    let time = Recorder<Double>()
    let store = makeStore(filled([("a", "a"), ("b", "b"), ("c", "c")]), events)
    let effect = DurableOutboxEffect<String, String>(
      lanes: 1, backoff: Backoff(first: .seconds(1), factor: 2, jitter: 0),
      wallClock: { [start] in start + time.values.reduce(0, +) }, clock: clock,
      deliver: { entry in
        guard entry.payload == "a" else { return .received("id of \(entry.payload)") }
        tried.append(entry.key)
        if tried.values.count < 3 { throw Refused() }
        return .received()
      })
    store.connect(effect, to: \.due, action: Action.outbox)
    for seconds in 1...2 {
      // The wait goes on beside the deliveries of the other lanes.
      try await events.values(atLeast: seconds * 2 + 1)
      try await clock.sleepers(atLeast: 1)
      time.append(Double(seconds))
      clock.advance(by: .seconds(seconds))
    }
    await store.settled()
    let keys = (1...3).map { OutboxKey(epoch: 1, number: $0) }
    #expect(tried.values == [keys[0], keys[0], keys[0]])
    #expect(
      events.values == [
        .failed(keys[0], "Refused()", next: start + 1), .confirmed(keys[1], "id of b"),
        .confirmed(keys[2], "id of c"), .reached(start + 1), .failed(keys[0], "Refused()", next: start + 3),
        .reached(start + 3), .confirmed(keys[0], nil),
      ])
    #expect(store.state.count == 0)
  }

  @Test(
    "an entry that is returned is replaced, and delivered at once as a newer attempt; from then on after a delay"
  )
  func conflict() async throws {
    let (clock, tried, time) = (TestClock(), Recorder<String>(), Recorder<Double>())
    let store = makeStore(filled([("a", "a"), ("b", "b")]))
    let effect = DurableOutboxEffect<String, String>(
      backoff: Backoff(first: .seconds(1), factor: 1, jitter: 0),
      wallClock: { [start] in start + time.values.reduce(0, +) }, clock: clock,
      deliver: { entry in
        tried.append("\(entry.key) \(entry.payload)")
        return entry.lane == "a" && entry.key.revision < 2 ? .returned("\(entry.key.revision)") : .received()
      })
    store.connect(effect, to: \.due, action: Action.outbox)
    // Both lanes are served side by side.
    let tries = try await tried.values(atLeast: 3)
    try await clock.sleepers(atLeast: 1)
    #expect(tries.contains("0000000000000001-2 b"))
    #expect(
      tries.filter { !$0.hasSuffix("b") } == ["0000000000000001-1 a", "0000000000000001-1.1 merged with 0"],
      "the first time at once")
    time.append(1)
    clock.advance(by: .seconds(1))
    await store.settled()
    #expect(tried.values.last == "0000000000000001-1.2 merged with 1")
    #expect(store.state.count == 0)
  }

  @Test("an entry that cannot be encoded keeps back its own lane alone, and is told until it is removed")
  func notEncodable() async throws {
    typealias Numbers = DurableOutbox<Double, Never, Never>
    enum Act: Sendable {
      case append([Double], lane: String)
      case remove(OutboxKey)
      case outbox(DurableOutboxEvent<Never>)
      case journal(Numbers.Journal)
    }
    let folder = try TemporaryFolder()
    let storage = Numbers.Storage(at: folder.file("numbers"))
    let store = Store(initialState: Numbers(epoch: 1, lastNumber: 0)) { (outbox: inout Numbers, act: Act) in
      switch act {
      case .append(let numbers, let lane): for number in numbers { outbox.append(number, lane: lane) }
      case .remove(let key): outbox.remove(key)
      case .outbox(let event): outbox.reduce(event)
      case .journal(let event): outbox.reduce(event)
      }
    }
    let delivered = Recorder<Double>()
    let effect = DurableOutboxEffect<Double, Never> { entry in
      delivered.append(entry.payload)
      return .received()
    }
    store.connect(effect, to: \.due, action: Act.outbox)
    store.connect(JournalEffect(storage), to: \.backlog, action: Act.journal)
    await store.settled()
    await store.send(.append([.nan, 1], lane: "a"))
    await store.send(.append([2], lane: "b"))
    await store.settled()
    await store.send(.append([3], lane: "c"))
    await store.settled()
    let bad = try #require(store.state.entries(lane: "a").first?.key)
    #expect(delivered.values == [2, 3] && !store.state.isSaved && store.state.count == 2)
    #expect(store.state.failure?.description.contains("the entry of entry(\(bad))") == true)
    await store.send(.remove(bad))
    await store.settled()
    #expect(delivered.values == [2, 3, 1] && store.state.isSaved && store.state.failure == nil)
    await store.shutdown()
    await storage.close()
    #expect(try await storage.load().entries.keys.map { "\($0)" } == ["numbers"])
  }

  @Test("a rejected entry makes room for the next one of its lane")
  func rejected() async {
    let store = makeStore(filled([("bad", "a"), ("good", "a")]))
    let delivered = Recorder<String>()
    let effect = DurableOutboxEffect<String, String> { entry in
      delivered.append(entry.payload)
      return entry.payload == "bad" ? .rejected("bad") : .received()
    }
    store.connect(effect, to: \.due, action: Action.outbox)
    await store.settled()
    #expect(delivered.values == ["bad", "good"])
    #expect(store.state.count == 0 && store.state.rejected.count == 1)
  }
}
