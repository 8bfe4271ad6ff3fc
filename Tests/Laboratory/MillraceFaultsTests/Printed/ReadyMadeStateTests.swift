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
    var outbox = DurableOutbox<String>(epoch: 1)
    outbox.append("a", lane: "x")
    outbox.reduce(.rejected(outbox.append("b"), reason: "no"))
    let made = DurableOutbox<String>(
      entries: [DurableOutbox<String>.Entry(key: OutboxKey(epoch: 1, number: 1), lane: "x", payload: "a")],
      rejected: [
        DurableOutbox<String>.Rejection(
          entry: DurableOutbox<String>.Entry(key: OutboxKey(epoch: 1, number: 2), lane: "", payload: "b"),
          reason: "no")
      ], epoch: 1, lastNumber: 2)
    #expect(outbox == made)
    #expect(
      SourceText.value(outbox) == #"""
        DurableOutbox<String>(entries: [DurableOutbox<String>.Entry(key: OutboxKey(epoch: 1, number: 1), lane: "x", \#
        payload: "a")], rejected: [DurableOutbox<String>.Rejection(entry: DurableOutbox<String>.Entry(key: \#
        OutboxKey(epoch: 1, number: 2), lane: "", payload: "b"), reason: "no")], epoch: 1, lastNumber: 2)
        """#)
    var inbox = Inbox()
    _ = inbox.accept(OutboxKey(epoch: 1, number: 7), lane: "x")
    #expect(inbox == Inbox(lastNumbers: [Inbox.Lane(epoch: 1, lane: "x"): 7]))
    #expect(SourceText.value(inbox) == #"Inbox(lastNumbers: [Inbox.Lane(epoch: 1, lane: "x"): 7])"#)
  }

  @Test func aJournalingIsPrintedAsItIsMade() {
    var pages = Journaling<String, Int>()
    pages.reduce(.loaded(StoredEntries(entries: ["q": 2])))
    pages["p"] = 1
    pages["q"] = nil
    let made = Journaling<String, Int>(
      backlog: JournalBacklog<String, Int>(
        generation: 2, savedGeneration: 0, attempt: 1, isLoaded: true, failure: nil,
        unsaved: [
          NumberedChange<String, Int>(id: "p", change: .set(1), generation: 1),
          NumberedChange<String, Int>(id: "q", change: .removed, generation: 2),
        ]), entries: ["p": 1], damaged: [])
    #expect(pages == made)
    #expect(
      SourceText.value(pages) == #"""
        Journaling<String, Int>(backlog: JournalBacklog<String, Int>(generation: 2, savedGeneration: 0, attempt: 1, \#
        isLoaded: true, failure: nil, unsaved: [NumberedChange<String, Int>(id: "p", change: .set(1), generation: 1), \#
        NumberedChange<String, Int>(id: "q", change: .removed, generation: 2)]), entries: ["p": 1], damaged: [])
        """#)
    let request: JournalRequest<String, Int> = .append(
      JournalAppend(
        generation: 2, attempt: 1,
        changes: [
          NumberedChange(id: "p", change: .set(1), generation: 1),
          NumberedChange(id: "q", change: .removed, generation: 2),
        ]))
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
