import Foundation
import Millrace
import MillraceEffects
import MillraceStorage
import MillraceTesting
import TestSupport
import Testing

@Suite struct DurableOutboxTests {
  @Test("entries have keys of their epoch, and leave the outbox when they are confirmed or rejected")
  func entries() {
    var outbox = DurableOutbox<String>(epoch: 1)
    let a = outbox.append("a")
    let b = outbox.append("b")
    #expect([a, b] == [OutboxKey(epoch: 1, number: 1), OutboxKey(epoch: 1, number: 2)])
    outbox.reduce(.failed(a, "no line"))
    outbox.reduce(.confirmed(a))
    outbox.reduce(.rejected(b, reason: "unknown"))
    outbox.reduce(.confirmed(a))
    outbox.reduce(.rejected(b, reason: "again"))
    #expect(outbox.entries.isEmpty)
    #expect(outbox.rejected.map(\.reason) == ["unknown"])
    outbox.retry(b)
    #expect(outbox.entries == [.init(key: OutboxKey(epoch: 1, number: 3), payload: "b")])
    #expect(outbox.rejected.isEmpty)
    outbox.retry(a)
    outbox.dismiss(a)
    #expect(outbox.entries.count == 1)
  }

  @Test("numbers that were used in what was lost are not used again once another epoch has begun")
  func epochs() {
    var outbox = DurableOutbox<String>(epoch: 1)
    outbox.append("a")
    let restored = outbox
    let lost = outbox.append("delivered, and lost with the newest file")
    outbox = restored
    #expect(outbox.append("b") == lost, "which a receiver would take for the lost one")
    outbox = restored
    outbox.beginEpoch(2)
    let key = outbox.append("b")
    #expect(key == OutboxKey(epoch: 2, number: 1) && key != lost)
    #expect(outbox.entries.map(\.payload) == ["a", "b"])
    #expect(DurableOutbox<Int>().epoch != DurableOutbox<Int>().epoch)
  }

  @Test("a key is read from its description alone")
  func keys() {
    for key in [OutboxKey(epoch: 0, number: 1), OutboxKey(epoch: .max, number: .max)] {
      #expect(OutboxKey(key.description) == key)
    }
    #expect(OutboxKey(epoch: 0xA1, number: 7).description == "00000000000000a1-7")
    for text in ["", "-", "a1-7", "00000000000000a1-07", "00000000000000A1-7", "00000000000000a1-7-", "x-7"] {
      #expect(OutboxKey(text) == nil, "\(text)")
    }
  }

  @Test("an inbox accepts each entry once, by epoch and lane")
  func inbox() {
    var inbox = Inbox()
    func accept(_ number: UInt64, _ lane: String, epoch: UInt64 = 1) -> Bool {
      inbox.accept(OutboxKey(epoch: epoch, number: number), lane: lane)
    }
    let numbers = [(1, "a"), (3, "a"), (1, "a"), (3, "a"), (2, "b")].map { accept($0.0, $0.1) }
    #expect(numbers == [true, true, false, false, true])
    let isNewEpoch = accept(1, "a", epoch: 2)
    inbox.forget(epoch: 1)
    let isForgotten = accept(1, "a")
    #expect(isNewEpoch && isForgotten)
    #expect(inbox.hasAccepted(OutboxKey(epoch: 2, number: 1), lane: "a"))
  }

  @Test("an outbox and an inbox are coded")
  func coded() throws {
    var outbox = DurableOutbox<String>(epoch: .max)
    outbox.append("a", lane: "x")
    outbox.reduce(.rejected(outbox.append("b"), reason: "no"))
    let data = try JSONEncoder().encode(outbox)
    #expect(try JSONDecoder().decode(DurableOutbox<String>.self, from: data) == outbox)
    var inbox = Inbox()
    _ = inbox.accept(OutboxKey(epoch: .max, number: 3), lane: "x")
    #expect(try JSONDecoder().decode(Inbox.self, from: JSONEncoder().encode(inbox)) == inbox)
  }
}

@Suite struct DurableOutboxEffectTests {
  private typealias Outbox = DurableOutbox<String>
  private struct Refused: Error {}

  private static func stored(_ change: (inout Outbox) -> Void) -> Saving<Outbox> {
    var outbox = Outbox(epoch: 1)
    change(&outbox)
    return Saving(StoredValue(value: outbox, generation: 1, source: .current), or: outbox)
  }

  private static func makeStore(_ saving: Saving<Outbox>) -> Store<Saving<Outbox>, DurableOutboxEvent> {
    Store(initialState: saving, on: .immediate) { saving, event in saving.save { $0.reduce(event) } }
  }

  @Test("the oldest entry of each lane is asked for, of as many lanes as are allowed")
  func lanes() {
    let saving = Self.stored { outbox in
      for (payload, lane) in [("a1", "a"), ("a2", "a"), ("b1", "b"), ("c1", "c"), ("b2", "b")] {
        outbox.append(payload, lane: lane)
      }
    }
    func asked(lanes: Int) -> Set<String> {
      let effect = DurableOutboxEffect(\Outbox.self, lanes: lanes) { _ in .received }
      return Set(effect.requests(in: saving).map(\.payload))
    }
    #expect(asked(lanes: 16) == ["a1", "b1", "c1"])
    #expect(asked(lanes: 2) == ["a1", "b1"])
    #expect(asked(lanes: 0) == ["a1"])
  }

  @Test("an entry that is not on disk is not asked for")
  func unsaved() {
    var saving = Self.stored { $0.append("a") }
    let effect = DurableOutboxEffect(\Outbox.self) { _ in .received }
    saving.save { $0.append("b", lane: "b") }
    #expect(effect.requests(in: saving).map(\.payload) == ["a"])
    saving.reduce(.saved(generation: 2))
    #expect(Set(effect.requests(in: saving).map(\.payload)) == ["a", "b"])
  }

  @Test("a delivery that fails is told and tried again, under the same key, until it is confirmed")
  func retried() async throws {
    let (clock, tried) = (TestClock(), Recorder<OutboxKey>())
    let store = Self.makeStore(Self.stored { $0.append("a") })
    let effect = DurableOutboxEffect(
      \Outbox.self, backoff: Backoff(first: .seconds(1), factor: 2, jitter: 0), clock: clock
    ) { entry in
      tried.append(entry.key)
      if tried.values.count < 3 { throw Refused() }
      return .received
    }
    let events = Recorder<DurableOutboxEvent>()
    store.connect(effect, to: \.self) { event in
      events.append(event)
      return event
    }
    for seconds in 1...2 {
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(seconds))
    }
    await store.settled()
    let key = OutboxKey(epoch: 1, number: 1)
    #expect(tried.values == [key, key, key])
    #expect(events.values == [.failed(key, "Refused()"), .failed(key, "Refused()"), .confirmed(key)])
    #expect(store.state.value.entries.isEmpty)
  }

  @Test("a rejected entry makes room for the next one of its lane")
  func rejected() async {
    let store = Self.makeStore(
      Self.stored { outbox in
        outbox.append("bad", lane: "a")
        outbox.append("good", lane: "a")
      })
    let delivered = Recorder<String>()
    let effect = DurableOutboxEffect(\Outbox.self) { entry in
      delivered.append(entry.payload)
      return entry.payload == "bad" ? .rejected("bad") : .received
    }
    store.connect(effect, to: \.self)
    await store.settled()
    #expect(delivered.values == ["bad", "good"])
    #expect(store.state.value.entries.isEmpty)
    #expect(store.state.value.rejected.map(\.entry.payload) == ["bad"])
  }
}
