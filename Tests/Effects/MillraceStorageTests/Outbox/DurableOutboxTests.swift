import Foundation
import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

@testable import MillraceStorage

private typealias Outbox = DurableOutbox<String, String, Int>
private typealias Event = DurableOutboxEvent<String>

extension DurableOutbox {
  /// An outbox that was loaded.
  static func loaded(
    _ stored: Stored = Stored(), epoch: UInt64 = 1, lastNumber: UInt64 = 0
  ) -> Self {
    var outbox = Self(epoch: epoch, lastNumber: lastNumber)
    outbox.reduce(.loaded(stored))
    return outbox
  }

  /// As if all changes were written.
  mutating func save() { reduce(.saved(generation: backlog.generation)) }

  /// The outbox of the next life of the program.
  func reloaded(epoch: UInt64 = 2, lastNumber: UInt64 = 0) -> Self {
    .loaded(Stored(entries: records), epoch: epoch, lastNumber: lastNumber)
  }

  var duePayloads: [Payload] { due.entries.map(\.payload) }
}

@Suite struct DurableOutboxTests {
  private let moment = Date(timeIntervalSince1970: 1000)

  @Test("entries have keys of their epoch, and leave the outbox when they are confirmed or rejected")
  func entries() {
    var outbox = Outbox.loaded()
    let a = outbox.append("a")
    let b = outbox.append("b")
    #expect([a, b] == [OutboxKey(epoch: 1, number: 1), OutboxKey(epoch: 1, number: 2)])
    outbox.reduce(Event.confirmed(a, nil))
    outbox.reduce(Event.rejected(b, reason: "unknown"))
    outbox.reduce(Event.confirmed(a, nil))
    outbox.reduce(Event.rejected(b, reason: "again"))
    #expect(outbox.count == 0 && outbox.rejected == [b])
    #expect(outbox.entry(b)?.status == OutboxStatus(attempts: 1, failure: "unknown", isRejected: true))
    #expect(outbox.reloaded().rejected == [b])
    #expect(outbox.putBack(b) == OutboxKey(epoch: 1, number: 3))
    #expect(outbox.entries.map(\.payload) == ["b"] && outbox.rejected.isEmpty && outbox.count == 1)
    outbox.remove(a)
    #expect(outbox.putBack(a) == nil && outbox.replace(a, by: "x") == nil && outbox.count == 1)
  }

  @Test("the first entry of each lane is due once it is on disk")
  func due() {
    var outbox = Outbox.loaded()
    let keys = [("a1", "a"), ("a2", "a"), ("b1", "b")].map { outbox.append($0.0, lane: $0.1) }
    #expect(outbox.duePayloads.isEmpty)
    outbox.reduce(.saved(generation: outbox.backlog.generation - 1))
    #expect(outbox.duePayloads == ["a1"], "b1 was the newest change")
    outbox.save()
    #expect(outbox.duePayloads == ["a1", "b1"])
    outbox.reduce(Event.confirmed(keys[0], nil))
    #expect(outbox.duePayloads == ["b1", "a2"], "before the end of the first one is on disk")
    outbox.remove(keys[2])
    #expect(outbox.duePayloads == ["a2"])
  }

  @Test("what is appended before the load follows what was stored, and nothing is due before it")
  func beforeTheLoad() {
    var stored = Outbox.loaded()
    for payload in ["a", "b"] { stored.append(payload) }
    stored["x"] = 1
    var outbox = Outbox(epoch: 2, lastNumber: 5000)
    outbox.append("c")
    outbox["y"] = 2
    outbox.reduce(.loaded(Outbox.Stored(entries: stored.records)))
    #expect(outbox.entries.map(\.payload) == ["a", "b", "c"] && outbox.duePayloads == ["a"])
    #expect(outbox.backlog.changes.keys.contains(.numbers), "the next life must know of the key")
    #expect(outbox.values == ["x": 1, "y": 2])
  }

  @Test("an entry that is replaced keeps its place, under the next revision of its key")
  func replaced() throws {
    var outbox = Outbox.loaded()
    let keys = ["a", "b", "c"].map { outbox.append($0) }
    outbox.save()
    let later = outbox.replace(keys[1], by: "B")
    let first = outbox.replace(keys[0], by: "A")
    #expect(first == keys[0].revised && later == keys[1].revised)
    #expect(outbox.duePayloads.isEmpty, "the new payload is not on disk")
    outbox.save()
    #expect(outbox.duePayloads == ["A"])
    outbox.reduce(Event.confirmed(keys[0], nil))
    #expect(outbox.count == 3, "an answer to the former payload is no answer to this one")
    #expect(outbox.reloaded().entries.map(\.payload) == ["A", "B", "c"])
    outbox.reduce(Event.confirmed(try #require(first), nil))
    #expect(outbox.duePayloads == ["B"])
  }

  @Test(
    "an entry that is returned waits for a decision, and its lane with it, in this life of the program alone")
  func returned() {
    var outbox = Outbox.loaded()
    let keys = [("a1", "a"), ("a2", "a"), ("b1", "b")].map { outbox.append($0.0, lane: $0.1) }
    outbox.save()
    outbox.reduce(Event.returned(keys[0], "theirs", next: nil))
    #expect(outbox.duePayloads == ["b1"] && outbox.entry(keys[0])?.status.wait == .decision)
    var next = outbox.reloaded()
    #expect(next.duePayloads.sorted() == ["a1", "b1"], "which asks its receiver again")
    next.reduce(Event.returned(keys[0], "theirs", next: moment))
    let replaced = next.replace(keys[0], by: "merged")
    next.save()
    #expect(
      next.duePayloads == ["b1"] && next.due.moment == moment,
      "one that is returned again is not tried at once")
    next.reduce(Event.reached(moment))
    #expect(next.duePayloads == ["b1", "merged"] && next.due.moment == nil)
    #expect(replaced.flatMap { next.entry($0)?.status.attempts } == 2)
    outbox.putBack(keys[0])
    outbox.save()
    #expect(outbox.duePayloads == ["b1", "a2"])
    outbox.reduce(Event.confirmed(keys[1], nil))
    #expect(outbox.duePayloads == ["b1", "a1"], "behind the others")
  }

  @Test("an entry that has failed waits, and others go on; both survive a load")
  func failed() {
    var outbox = Outbox.loaded()
    let keys = [("a1", "a"), ("b1", "b")].map { outbox.append($0.0, lane: $0.1) }
    outbox.save()
    outbox.reduce(Event.failed(keys[0], "no line", next: moment))
    outbox.reduce(Event.failed(keys[1], "no line", next: moment + 5))
    #expect(outbox.duePayloads.isEmpty && outbox.due.moment == moment)
    let next = outbox.reloaded()
    outbox.reduce(Event.reached(moment + 1))
    #expect(outbox.duePayloads == ["a1"] && outbox.due.moment == moment + 5)
    #expect(next.duePayloads.isEmpty && next.due.moment == moment)
    #expect(next.entry(keys[0])?.status.failure == "no line" && next.entry(keys[0])?.status.attempts == 1)
    outbox.remove(keys[1])
    #expect(outbox.due.moment == nil)
  }

  @Test("an entry that is held waits for its moment or for its release, also in the next life")
  func held() {
    var outbox = Outbox.loaded()
    let keys = [("a1", "a"), ("b1", "b")].map { outbox.append($0.0, lane: $0.1) }
    outbox.hold(keys[0])
    outbox.hold(keys[1], until: moment)
    outbox.save()
    #expect(outbox.duePayloads.isEmpty)
    var next = outbox.reloaded()
    #expect(next.duePayloads.isEmpty && next.due.moment == moment)
    next.reduce(Event.reached(moment))
    next.release(keys[0])
    #expect(next.duePayloads == ["b1", "a1"])
    #expect(next.records.keys.contains(.status(keys[0])) == false, "nothing is left of the wait")
    next.save()
    for key in keys { next.reduce(Event.confirmed(key, nil)) }
    #expect(next.backlog.changes.count == 2, "each costs one record")
  }

  @Test("a lane that is paused delivers nothing until it is resumed, also in the next life")
  func paused() {
    var outbox = Outbox.loaded()
    outbox.append("a1", lane: "a")
    outbox.append("b1", lane: "b")
    outbox.pause(lane: "a")
    outbox.pause(lane: "none")
    outbox.save()
    #expect(outbox.duePayloads == ["b1"])
    var next = outbox.reloaded()
    #expect(next.duePayloads == ["b1"] && next.isPaused(lane: "none"))
    next.resume(lane: "a")
    next.resume(lane: "none")
    #expect(next.duePayloads == ["b1", "a1"] && !next.isPaused(lane: "a"))
    #expect(next.reloaded().duePayloads == ["a1", "b1"])
  }

  @Test("an entry costs one record, and its end another one")
  func records() {
    var outbox = Outbox.loaded(lastNumber: 0)
    outbox.append("first")
    outbox.save()
    for number in 2...500 {
      let key = outbox.append("\(number)")
      #expect(outbox.backlog.changes.count == 1)
      outbox.save()
      outbox.reduce(Event.confirmed(key, nil))
      #expect(outbox.backlog.changes.count == 1)
      outbox.save()
    }
  }

  @Test(
    "an entry for which there is no room is told, and stops nothing that is on disk; without it all is saved")
  func fullDisk() {
    var outbox = Outbox.loaded()
    outbox.append("a", lane: "a")
    outbox.save()
    let large = outbox.append("large", lane: "b")
    outbox.append("c", lane: "c")
    outbox.reduce(.failed(.diskFull("f"), generation: outbox.backlog.generation, attempt: 1))
    #expect(outbox.failure == .diskFull("f") && outbox.backlog.wanted == nil && outbox.duePayloads == ["a"])
    outbox.remove(large)
    #expect(outbox.failure == nil && outbox.backlog.wanted != nil)
    outbox.save()
    #expect(outbox.duePayloads == ["a", "c"])
  }

  @Test("when another file is found, nothing is delivered until it is loaded")
  func otherFile() {
    var outbox = Outbox.loaded()
    outbox.append("a")
    outbox.save()
    let older = outbox.records
    outbox.append("b")
    outbox.reduce(.failed(.notLoaded("f"), generation: outbox.backlog.generation, attempt: 1))
    #expect(outbox.duePayloads.isEmpty)
    outbox.retry()
    outbox.reduce(.loaded(Outbox.Stored(entries: older)))
    #expect(outbox.duePayloads == ["a"] && outbox.entries.map(\.payload) == ["a", "b"])
  }

  @Test("the entries of a lane are in the order of delivery, without rejected ones")
  func lane() {
    var outbox = Outbox.loaded()
    let keys = [("a1", "a"), ("b1", "b"), ("a2", "a"), ("a3", "a")].map { outbox.append($0.0, lane: $0.1) }
    outbox.reduce(Event.rejected(keys[2], reason: "no"))
    outbox.putBack(keys[0])
    #expect(outbox.entries(lane: "a").map(\.payload) == ["a3", "a1"] && outbox.entries(lane: "c").isEmpty)
  }

  // MARK: Waits

  @Test("an entry that has failed and is released from a longer wait is free in the next life too")
  func releasedAfterFailure() {
    var outbox = Outbox.loaded()
    let key = outbox.append("a")
    outbox.save()
    outbox.reduce(Event.failed(key, "no line", next: moment))
    outbox.hold(key, until: moment + 1_000_000)
    outbox.save()
    outbox.release(key)
    #expect(outbox.duePayloads == ["a"] && !outbox.isSaved)
    #expect(outbox.reloaded().duePayloads == ["a"] && outbox.reloaded().entry(key)?.status.attempts == 1)
  }

  @Test("an entry that is returned again is tried after its delay, whether it is released or put back")
  func returnedForEver() {
    var outbox = Outbox.loaded()
    let key = outbox.append("a")
    outbox.save()
    outbox.reduce(Event.returned(key, nil, next: nil))
    outbox.release(key)
    #expect(outbox.duePayloads == ["a"], "the first time at once")
    outbox.reduce(Event.returned(key, nil, next: moment))
    var other = outbox
    outbox.release(key)
    #expect(outbox.duePayloads.isEmpty && outbox.due.moment == moment)
    outbox.reduce(Event.reached(moment))
    #expect(outbox.duePayloads == ["a"])
    let last = other.putBack(key)
    other.save()
    #expect(other.duePayloads.isEmpty && other.due.moment == moment)
    #expect(last.flatMap { other.entry($0) }?.status.attempts == 2)
  }

  // MARK: Before the load

  @Test("what is removed or resumed before the load is gone after it")
  func removedBeforeTheLoad() {
    var stored = Outbox.loaded()
    let keys = [("a1", "a"), ("b1", "b"), ("b2", "b")].map { stored.append($0.0, lane: $0.1) }
    stored.pause(lane: "a")
    stored.hold(keys[1])
    (stored["x"], stored["y"]) = (57, 1)
    var outbox = Outbox(epoch: 2, lastNumber: 5000)
    outbox["x"] = nil
    outbox.resume(lane: "a")
    #expect(outbox.remove(keys[1]) == nil && outbox.putBack(keys[2]) == nil)
    outbox.reduce(.loaded(Outbox.Stored(entries: stored.records)))
    #expect(outbox.values == ["y": 1] && !outbox.isPaused(lane: "a"))
    #expect(outbox.duePayloads.sorted() == ["a1", "b2"] && outbox.reloaded().values == ["y": 1])
    #expect(Set(outbox.backlog.changes.keys).contains(.status(keys[1])))
  }

  @Test("what is appended before the load follows what was stored, also if the clock is behind")
  func clockIsBehind() {
    var stored = Outbox.loaded(lastNumber: 9000)
    for payload in ["a", "b"] { stored.append(payload) }
    for lastNumber in [0, 10000, 10001] as [UInt64] {
      var outbox = Outbox(epoch: 2, lastNumber: lastNumber)
      let key = outbox.append("c")
      outbox.append("d")
      outbox.replace(key, by: "C")
      outbox.reduce(.loaded(Outbox.Stored(entries: stored.records)))
      outbox.append("e")
      let order = ["a", "b", "C", "d", "e"]
      #expect(outbox.entries.map(\.payload) == order && outbox.duePayloads == ["a"])
      #expect(outbox.reloaded().entries.map(\.payload) == order)
      for _ in order {
        outbox.save()
        outbox.due.entries.first.map { _ = outbox.remove($0.key) }
      }
      #expect(outbox.count == 0)
    }
    // A damaged file may have lost what tells the numbers.
    var records = stored.records
    records[.numbers] = nil
    var outbox = Outbox(epoch: 2, lastNumber: 0)
    outbox.append("c")
    outbox.reduce(.loaded(Outbox.Stored(entries: records)))
    outbox.append("d")
    #expect(outbox.entries.map(\.payload) == ["a", "b", "c", "d"])
  }

  @Test("what is appended before the load of no file has its number for its place")
  func noFile() {
    var outbox = Outbox(epoch: 2, lastNumber: 0)
    let key = outbox.append("a")
    outbox.reduce(.loaded(Outbox.Stored()))
    #expect(outbox.records[.entry(key)] == .entry("a", lane: "") && outbox.lastNumber == 1)
  }

  // MARK: Numbers

  @Test("an epoch that is begun before the load is the one after it, in the next life too")
  func beganBeforeTheLoad() {
    var stored = Outbox.loaded()
    stored.append("a")
    var outbox = Outbox(epoch: 2, lastNumber: 9_000_000)
    outbox.beginEpoch(7)
    outbox.reduce(.loaded(Outbox.Stored(entries: stored.records)))
    #expect(outbox.epoch == 7 && outbox.reloaded(lastNumber: .max - 9).epoch == 7)
    #expect(outbox.append("b").epoch == 7)
  }

  @Test(
    "outboxes of a former version are each taken over once, before all others, also if another file is loaded"
  )
  func formers() {
    func former(_ epoch: UInt64, _ payloads: [String]) -> FormerOutbox<String> {
      let entries = payloads.enumerated().map {
        FormerOutbox<String>.Entry(
          key: OutboxKey(epoch: epoch, number: 800 + UInt64($0.offset)), lane: "", payload: $0.element)
      }
      return FormerOutbox(entries: entries, epoch: epoch, lastNumber: 900)
    }
    let (x, y) = (former(5, ["x1", "x2"]), former(6, ["y1", "y2"]))
    var outbox = Outbox.loaded()
    outbox.append("a")
    outbox.save()
    let older = outbox.records
    outbox.adopt(x)
    outbox.adopt(y)
    let order = ["y1", "y2", "x1", "x2", "a"]
    #expect(outbox.entries.map(\.payload) == order)
    var next = outbox.reloaded()
    for entry in next.entries { next.remove(entry.key) }
    next.adopt(x)
    next.adopt(y)
    #expect(next.count == 0)
    outbox.reduce(.failed(.notLoaded("f"), generation: outbox.backlog.generation, attempt: 1))
    outbox.reduce(.loaded(Outbox.Stored(entries: older)))
    for entry in outbox.entries { outbox.remove(entry.key) }
    outbox.adopt(x)
    #expect(outbox.count == 0)
  }

  @Test("an outbox of a former version that is taken over before the load follows what the file says of it")
  func adoptedBeforeTheLoad() throws {
    let entry = FormerOutbox.Entry(key: OutboxKey(epoch: 5, number: 8), lane: "", payload: "x")
    let former = FormerOutbox(entries: [entry], epoch: 5, lastNumber: 9)
    var first = Outbox(epoch: 2, lastNumber: 100)
    first.append("a")
    first.adopt(former)
    #expect(!first.isSaved && first.count == 1)
    first.reduce(.loaded(Outbox.Stored()))
    #expect(first.entries.map(\.payload) == ["x", "a"] && first.due.entries.isEmpty)
    first.save()
    #expect(first.isSaved && first.duePayloads == ["x"])
    first.reduce(Event.confirmed(entry.key, nil))
    var second = Outbox(epoch: 3, lastNumber: 200)
    second.adopt(former)
    second.reduce(.loaded(Outbox.Stored(entries: first.records)))
    #expect(second.isSaved && second.entries.map(\.payload) == ["a"], "x was delivered in the first life")
    var third = Outbox(epoch: 4, lastNumber: 300)
    third.adopt(former)
    #expect(!third.isSaved, "the former file is needed until the load")
  }

  @Test("numbers that were used in what was lost with a newer file are not used again")
  func restored() {
    var outbox = Outbox.loaded(lastNumber: 1_000_000)
    outbox.append("a")
    let older = outbox.records
    let lost = (1...5000).map { outbox.append("lost \($0)") }
    var next = Outbox.loaded(Outbox.Stored(entries: older), epoch: 2, lastNumber: 9_000_000)
    let key = next.append("b")
    #expect(key.epoch == 1, "which keeps the inboxes of receivers small")
    #expect(key > lost[4999])
    // The clock is behind: numbers that follow may have been used.
    var behind = Outbox.loaded(Outbox.Stored(entries: older), epoch: 3, lastNumber: 500)
    let other = behind.append("b")
    #expect(other.epoch == 3 && other.number > 1_000_000, "behind those that are stored")
    let damage = DamagedFile(path: "f", setAsideAs: "f.damaged", reason: .wrongChecksum)
    let damaged = Outbox.loaded(
      Outbox.Stored(entries: older, damaged: [damage]), epoch: 4, lastNumber: 9_000_000)
    #expect(damaged.epoch == 4 && damaged.damaged == [damage])
    behind.beginEpoch(7)
    #expect(behind.append("c").epoch == 7 && behind.reloaded(lastNumber: .max - 9).epoch == 7)
  }

  @Test("an outbox of a former version is taken over once, under its keys")
  func former() throws {
    let text = """
      {"entries":[{"key":{"epoch":5,"number":8},"lane":"x","payload":"a"}],"epoch":5,"lastNumber":9,\
      "rejected":[{"entry":{"key":{"epoch":5,"number":9},"lane":"y","payload":"b"},"reason":"no"}]}
      """
    let former = try JSONDecoder().decode(FormerOutbox<String>.self, from: Data(text.utf8))
    var outbox = Outbox.loaded()
    outbox.append("c", lane: "x")
    outbox.adopt(former)
    outbox.save()
    let (a, b) = (OutboxKey(epoch: 5, number: 8), OutboxKey(epoch: 5, number: 9))
    #expect(outbox.duePayloads == ["a"], "before all others")
    #expect(outbox.entry(b)?.status.failure == "no" && outbox.rejected == [b])
    #expect(outbox.append("d") == OutboxKey(epoch: 5, number: 10))
    outbox.reduce(Event.confirmed(a, nil))
    var next = outbox.reloaded()
    next.adopt(former)
    #expect(next.entry(a) == nil)
  }

  @Test("a key is read from its description alone")
  func keys() {
    for key in [OutboxKey(epoch: 0, number: 1), OutboxKey(epoch: .max, number: .max, revision: 3)] {
      #expect(OutboxKey(key.description) == key)
    }
    #expect(OutboxKey(epoch: 0xA1, number: 7).description == "00000000000000a1-7")
    #expect(OutboxKey(epoch: 0xA1, number: 7, revision: 2).description == "00000000000000a1-7.2")
    for text in [
      "", "-", "a1-7", "00000000000000a1-07", "00000000000000A1-7", "00000000000000a1-7-", "x-7",
      "00000000000000a1-7.0", "00000000000000a1.7", "00000000000000a1-7.", "00000000000000a1-7-2",
    ] {
      #expect(OutboxKey(text) == nil, "\(text)")
    }
  }

  @Test("an inbox accepts each entry once, by epoch and lane, and a newer revision of the last one")
  func inbox() {
    var inbox = Inbox()
    func accept(_ number: UInt64, _ lane: String, epoch: UInt64 = 1, revision: UInt64 = 0) -> Bool {
      inbox.accept(OutboxKey(epoch: epoch, number: number, revision: revision), lane: lane)
    }
    let numbers = [(1, "a"), (3, "a"), (1, "a"), (3, "a"), (2, "b")].map { accept($0.0, $0.1) }
    #expect(numbers == [true, true, false, false, true])
    let revisions = [(3, 1), (3, 0), (3, 1), (2, 9), (4, 0), (3, 2)].map { accept($0.0, "a", revision: $0.1) }
    #expect(revisions == [true, false, false, false, true, false])
    let isNewEpoch = accept(1, "a", epoch: 2, revision: 1)
    #expect(isNewEpoch)
    inbox.forget(epoch: 1)
    #expect(inbox.lastNumbers.count == 1 && inbox.lastRevisions?.count == 1)
    let isForgotten = accept(1, "a")
    inbox.forget(epoch: 2)
    #expect(isForgotten && inbox.lastRevisions == nil)
    #expect(inbox.hasAccepted(OutboxKey(epoch: 1, number: 1), lane: "a"))
  }

  @Test("an outbox, an inbox and events are coded")
  func coded() throws {
    var outbox = Outbox.loaded(epoch: .max)
    outbox.append("a", lane: "x")
    outbox["v"] = 1
    let key = outbox.append("b")
    outbox.save()
    outbox.reduce(Event.rejected(key, reason: "no"))
    func recoded<Value: Codable>(_ value: Value) throws -> Value {
      try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }
    #expect(try recoded(outbox) == outbox)
    var inbox = Inbox()
    _ = inbox.accept(OutboxKey(epoch: .max, number: 3, revision: 1), lane: "x")
    #expect(try recoded(inbox) == inbox)
    #expect(try recoded(key.revised) == key.revised)
    #expect(try recoded(Event.confirmed(key, "x")) == .confirmed(key, "x"))
  }
}
