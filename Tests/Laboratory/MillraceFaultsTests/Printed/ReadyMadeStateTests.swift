import Millrace
import MillraceEffects
import MillraceStorage
import MillraceTesting
import Testing

@testable import MillraceExplorer

/// Ready-made states in a state that an explorer compares, and in the tests that it prints: the values are defined here
/// by the expressions that are printed for them.
@Suite struct ReadyMadeStateTests {
  struct State: Hashable, Sendable {
    var notes = Saving("a")
    var pages = Journaling<String, Int>()
    var unsaved = JournalBacklog<String, Int>()
    var payments = Interruptions<String>()
    var toasts = Outbox<String>()
  }

  @Test func aStateWithSavingIsHashable() {
    var state = State()
    #expect(Set([state, State()]).count == 1)
    state.notes.save { $0 = "b" }
    state.pages["p"] = 1
    #expect(Set([state, State()]).count == 2)
  }

  @Test func aSavingIsPrintedAsItIsMade() {
    var saving = Saving(StoredValue(value: "a", generation: 3, source: .current), or: "")
    saving.save { $0 = "b" }
    saving.reduce(.failed(.diskFull("f"), generation: 4, attempt: 1))
    let made = Saving<String>(
      value: "b", generation: 4, savedGeneration: 3, isLoaded: true, failure: StorageFailure.diskFull("f"),
      attempt: 1, stored: "a", storedGeneration: 3, begun: nil)
    #expect(saving == made)
    #expect(
      SourceText.value(saving) == #"""
        Saving<String>(value: "b", generation: 4, savedGeneration: 3, isLoaded: true, \#
        failure: StorageFailure.diskFull("f"), attempt: 1, stored: "a", storedGeneration: 3, begun: nil)
        """#)
  }

  @Test func aDurableOutboxAndAnInboxArePrintedAsTheyAreMade() {
    typealias Shop = DurableOutbox<String, String, Int>
    var outbox = Shop(epoch: 1, lastNumber: 0)
    outbox.reduce(.loaded(StoredEntries(entries: [.value("v"): .value(2)])))
    outbox.append("a", lane: "x")
    let made = Shop(
      records: [
        .entry(OutboxKey(epoch: 1, number: 1)): .entry("a", lane: "x"), .value("v"): .value(2),
        .numbers: .numbers(epoch: 1, last: 1001),
      ], backlog: outbox.backlog, epoch: 1, lastNumber: 1)
    #expect(outbox == made)
    let text = SourceText.value(outbox)
    #expect(
      text.hasPrefix("DurableOutbox<String, String, Int>(records: [.entry(OutboxKey(epoch: 1, number: 1"),
      "\(text)")
    #expect(text.hasSuffix(", epoch: 1, lastNumber: 1, damaged: [])"), "\(text)")
    var inbox = Inbox()
    _ = inbox.accept(OutboxKey(epoch: 1, number: 7), lane: "x")
    #expect(inbox == Inbox(lastNumbers: [Inbox.Lane(epoch: 1, lane: "x"): 7]))
    #expect(
      SourceText.value(inbox)
        == #"Inbox(lastNumbers: [Inbox.Lane(epoch: 1, lane: "x"): 7], lastRevisions: nil)"#)
  }

  @Test func aJournalingIsPrintedAsItIsMade() {
    var pages = Journaling<String, Int>()
    pages.reduce(.loaded(StoredEntries(entries: ["q": 2])))
    pages["p"] = 1
    pages["q"] = nil
    let (none, two) = (JournalChange<Int>.removed, JournalChange.set(2))
    let changes: KeyedArray = [
      NumberedChange<String, Int>(
        id: "p", change: .set(1), generation: 1,
        earlier: [NumberedChange(id: "p", change: none, generation: 0)]),
      NumberedChange<String, Int>(
        id: "q", change: .removed, generation: 2,
        earlier: [NumberedChange(id: "q", change: two, generation: 0)]),
    ]
    let made = Journaling<String, Int>(
      backlog: JournalBacklog<String, Int>(
        generation: 2, savedGeneration: 0, attempt: 1, isLoaded: true, failure: nil, unsaved: changes),
      entries: ["p": 1], damaged: [])
    #expect(pages == made)
    #expect(
      SourceText.value(pages) == #"""
        Journaling<String, Int>(backlog: JournalBacklog<String, Int>(generation: 2, savedGeneration: 0, attempt: 1, \#
        isLoaded: true, failure: nil, unsaved: [NumberedChange<String, Int>(id: "p", change: .set(1), generation: 1, \#
        earlier: [NumberedChange<String, Int>(id: "p", change: .removed, generation: 0, earlier: [])]), \#
        NumberedChange<String, Int>(id: "q", change: .removed, generation: 2, earlier: \#
        [NumberedChange<String, Int>(id: "q", change: .set(2), generation: 0, earlier: [])])]), entries: ["p": 1], \#
        damaged: [])
        """#)
    let request: JournalRequest<String, Int> = .append(
      JournalAppend(generation: 2, attempt: 1, changes: changes))
    #expect(made.backlog.wanted == request)
  }

  @Test func interruptionsArePrintedAsTheyAreMade() {
    var payments = Interruptions<String>()
    payments.reduce(.interrupted("rent", key: "p-1"))
    payments.reduce(.interrupted("tax", key: "p-2"))
    payments.giveUp("p-2")
    let made = Interruptions<String>(
      undecided: ["p-1": "rent"], isKnown: false, damaged: [], failure: nil, givenUp: ["p-2"], attempt: 1)
    #expect(payments == made)
    #expect(
      SourceText.value(payments) == #"""
        Interruptions<String>(undecided: ["p-1": "rent"], isKnown: false, damaged: [], failure: nil, givenUp: ["p-2"], \#
        attempt: 1)
        """#)
  }

  @Test func anOutboxIsPrintedAsItIsMade() {
    var toasts = Outbox<String>()
    toasts.reduce(.served(toasts.append("a")))
    toasts.reduce(.began(toasts.append("b"), claim: 7))
    let made = Outbox<String>(
      entries: [
        Outbox<String>.Entry(id: Outbox<String>.ID(number: 2), element: "b", status: .begun(claim: 7))
      ], lastNumber: 2)
    #expect(toasts == made)
    #expect(
      SourceText.value(toasts) == #"""
        Outbox<String>(entries: [Outbox<String>.Entry(id: Outbox<String>.ID(number: 2), element: "b", \#
        status: .begun(claim: 7))], lastNumber: 2)
        """#)
    let request = OutboxEffect<String>.Request(entry: Outbox<String>.ID(number: 2), element: "b", claim: 7)
    #expect(
      SourceText.value(request)
        == #"OutboxEffect<String>.Request(entry: Outbox<String>.ID(number: 2), element: "b", claim: 7)"#)
  }
}
