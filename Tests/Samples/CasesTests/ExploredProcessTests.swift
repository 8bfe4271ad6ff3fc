import Foundation
import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceStorage
import MillraceSystem
import MillraceTesting
import Testing

@testable import cases

/// What holds in every order of what may happen.
@Suite("Cases beyond a screen, explored") struct ExploredProcessTests {
  @Test("windows: a closed window saves nothing, and the others do not notice")
  func windows() {
    let report = Explorer(
      initialState: ManyWindows.State(), comparing: { "\(Array($0.windows))" }, reduce: ManyWindows.reduce,
      connect: { ManyWindows.connect(to: $0, clock: TestClock()) { _, _ in } }
    )
    .userActions { state in
      (1...2).flatMap { id in
        state.windows.contains(id: id)
          ? [.window(id, .typed("a")), .window(id, .typed("b")), .closed(id)]
          : [ManyWindows.Action.opened(id)]
      }
    }
    .outcomes(of: String.self, sending: ManyWindows.Window.Action.self) { [.answers(.saved($0))] }
    .always("at rest all is saved") { state, running in
      !running.isEmpty || state.windows.allSatisfy { $0.unsaved == nil }
    }
    .always("one save a window") { $1.count <= $0.windows.count }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("line: messages arrive in order, and none is lost, whatever the line does")
  func line() {
    let report = Explorer(
      initialState: LongConnection.State(isWanted: true),
      comparing: { ["\($0.isOpen) \($0.line) \($0.written) \($0.confirmed)", "\($0.unconfirmed)"] },
      reduce: LongConnection.reduce,
      connect: { LongConnection.connect(to: $0, clock: TestClock(), open: { _, _ in }, write: { _ in }) }
    )
    .userActions { state in
      let count = state.confirmed + state.unconfirmed.count
      return count < 2 ? [.wrote("\(count)")] : []
    }
    .outcomes(of: Int.self, from: "line") { line, run in
      guard run.sent.contains(.line(.opened)) else { return [.sends(.line(.opened))] }
      // The other side confirms what it was sent.
      let confirms = run.state.writing?.line == line || run.state.written > 0
      return (confirms ? [.sends(.line(.confirmed))] : []) + (line < 2 ? [.answers(.broke)] : [])
    }
    .outcomes(of: LongConnection.Writing.self) { [.answers(.written($0))] }
    .always("what waits is the newest, in order") { state in
      state.unconfirmed == (state.confirmed..<state.confirmed + state.unconfirmed.count).map { "\($0)" }
    }
    .always("no more is written than there is") { (0...$0.unconfirmed.count).contains($0.written) }
    .always("every sign of life begins the wait for the next one") { state, running in
      running.requests(of: TimerRequest<Int>.self).map(\.id) == (state.isOpen ? [state.heard] : [])
    }
    .always("a message is written to the line that is open, one at a time") { state, running in
      let writings = running.requests(of: LongConnection.Writing.self)
      return writings.count <= 1 && writings.allSatisfy { $0.line == state.line && state.isOpen }
    }
    .explore(depth: 24)
    #expect(report.counterexamples.isEmpty, "\(report)")
  }

  @Test("watch: at rest, the newest moment of each file has been read")
  func watch() {
    let moments = (1...2).map { Date(timeIntervalSince1970: Double($0)) }
    let report = Explorer(
      initialState: FolderWatch.State(folder: "f"),
      comparing: { ["\($0.folder ?? "")", "\($0.listing)", "\($0.read)"] }, reduce: FolderWatch.reduce,
      connect: { FolderWatch.connect(to: $0, clock: TestClock(), list: { _ in [:] }, read: { _ in }) }
    )
    .userActions { _ in [.watched(nil), .watched("f")] }
    .outcomes(of: String.self) { _ in [.answers(.listed([:]))] + moments.map { .answers(.listed(["a": $0])) }
    }
    .outcomes(of: FolderWatch.File.self) { [.answers(.read($0))] }
    .always("what is read is no newer than what was seen") { state in
      state.read.allSatisfy { name, date in
        state.listing[name].map { date <= $0 || date == moments[1] } ?? false
      }
    }
    .always("at rest it is the newest") { state, running in
      !running.requests(of: FolderWatch.File.self).isEmpty || state.read == state.listing
    }
    .always("nothing is read of a folder that nobody watches") { state, running in
      state.folder != nil || running.isEmpty
    }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("a folder that cannot be listed is not taken for an empty one")
  func unreadableFolder() async throws {
    #expect(throws: CocoaError.self) { try FolderWatch.files(of: "/no such folder") }
    let clock = TestClock()
    let store = Store(initialState: FolderWatch.State(), on: .immediate, reduce: FolderWatch.reduce)
    FolderWatch.connect(to: store, clock: clock, list: { try FolderWatch.files(of: $0) }, read: { _ in })
    let file = FolderWatch.File(name: "a", changed: Date(timeIntervalSince1970: 1))
    store.dispatch(.watched("/no such folder"))
    store.dispatch(.listed([file.name: file.changed]))
    store.dispatch(.read(file))
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    try await clock.sleepers(atLeast: 1)  // it has been looked at again
    #expect(store.state.read == [file.name: file.changed])
    await store.shutdown()
  }

  @Test("daily: one report a day")
  func daily() {
    let due = Date(timeIntervalSince1970: 1_774_674_000)
    let ticks = [0, 1, 1, 2].map { WallClockTick(due: due + Double($0) * 86_400) }
    let report = Explorer(
      initialState: DailyReport.State(), comparing: { "\($0)" }, reduce: DailyReport.reduce,
      connect: { DailyReport.connect(to: $0, clock: TestClock(), now: { due }, make: { _ in }) }
    )
    .outcomes(of: WallClockTimerRequest<String>.self, sending: WallClockTimerEvent<String>.self) { timer in
      ticks.map { .sends(.fired(timer.id, $0)) }
    }
    .outcomes(of: DailyReport.Report.self) { [.answers(.reported($0))] }
    .always("none of a day that has one") { $0.due.map(\.day) != $0.lastDay }
    .always("none in the past") { state in state.due.map { $0.day > state.lastDay } ?? true }
    .explore()
    #expect(report.counterexamples.isEmpty, "\(report)")
  }

  @Test("child: it is told to be running only while it is wanted, and never started without an end")
  func child() {
    let report = Explorer(
      initialState: SupervisedChild.State(), comparing: { "\($0)" }, reduce: SupervisedChild.reduce,
      connect: { store in
        SupervisedChild.connect(to: store, clock: TestClock()) { _, _ throws(SupervisedChild.Exit) in }
      }
    )
    .userActions { $0.notice.isEmpty ? [.wanted(!$0.isWanted)] : [] }
    .outcomes(of: String.self) { _ in
      [
        .sends(.started).then(.fails(SupervisedChild.Exit(status: 9))),
        .fails(SupervisedChild.Exit(status: 1)),
      ]
    }
    .always("it runs only if it is wanted") { $0.isWanted || !$0.isRunning }
    .always("a run while it is wanted, and none else") { $1.count == ($0.isWanted ? 1 : 0) }
    .eventually("it is given up") { !$0.isWanted }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  private static func temporary() -> String {
    FileManager.default.temporaryDirectory.path + "/millrace-case-\(UUID().uuidString)"
  }

  @Test("saga: all or nothing")
  func saga() {
    let ledger = Ledger<TripSaga.Step>(at: Self.temporary())  // nothing runs: it is never opened
    let report = Explorer(
      initialState: TripSaga.State(), comparing: { "\($0)" }, reduce: TripSaga.reduce,
      connect: { TripSaga.connect(to: $0, ledger: ledger) { _ throws(TripSaga.Refusal) in } }
    )
    .userActions { $0.trip == nil ? [.wanted("Rome")] : [] }
    .outcomes(of: TripSaga.Step.self) { step in
      let events: [TripSaga.Action] = [
        .done(step), .ledger(.ended(step, key: LedgerKey(step.key))),
        .ledger(.interrupted(step, key: LedgerKey(step.key))),
      ]
      return events.map { .answers($0) } + (step.direction == .book ? [.fails(TripSaga.Refusal())] : [])
    }
    .eventually("it ends") { $0.trip == nil || !$0.outcome.isEmpty }
    .always("at rest it has ended") { $0.trip == nil || !$0.outcome.isEmpty || !$1.isEmpty }
    .always("booked is booked as a whole") { $0.outcome != "booked" || $0.booked == TripSaga.parts }
    .always("taken back is taken back as a whole") {
      !["taken back", "not booked"].contains($0.outcome) || $0.booked.isEmpty
    }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("payment: nothing is paid again before the bank was asked")
  func payment() {
    let ledger = Ledger<PaymentOverCrash.Payment>(at: Self.temporary())  // nothing runs: it is never opened
    let first = PaymentOverCrash.Payment(key: "rent", amount: 900)
    let report = Explorer(
      initialState: PaymentOverCrash.State(payments: [first]), comparing: { "\($0)" },
      reduce: PaymentOverCrash.reduce,
      connect: { PaymentOverCrash.connect(to: $0, ledger: ledger, pay: { _ in }, isPaid: { _ in false }) }
    )
    .outcomes(of: PaymentOverCrash.Payment.self, from: "pay") { payment in
      let key = LedgerKey(payment.key)
      return [.answers(.paid(payment)), .answers(.ledger(.ended(payment, key: key)))]
        + (payment == first ? [.answers(.ledger(.interrupted(payment, key: key)))] : [])
    }
    .outcomes(of: PaymentOverCrash.Payment.self, from: "ask") { payment in
      [.answers(.asked(payment, isPaid: true)), .answers(.asked(payment, isPaid: false))]
    }
    .always("it is paid once, or not yet") { $0.paid.count + $0.payments.count == 1 }
    .always("a later attempt is not in doubt") { $0.doubtful.isSubset(of: [first]) }
    .eventually("it is paid") { $0.paid == ["rent"] }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("leader: it works only with a lease, and its lease ends without an answer")
  func leader() {
    let report = Explorer(
      initialState: Leader.State(), comparing: { "\($0.lease?.token ?? 0) \($0.isAsking)" },
      reduce: Leader.reduce,
      connect: { Leader.connect(to: $0, clock: TestClock(), ask: { _ in nil }, work: { _ in }) }
    )
    .outcomes(of: Leader.Question.self) { question in
      [.answers(.answered(nil)), .answers(.answered(Leader.Lease(token: question.held?.token ?? 1)))]
    }
    .always("work is done for the lease that is held") { state, running in
      running.requests(of: Leader.Lease.self) == (state.lease.map { [$0] } ?? [])
    }
    .always("a lease that is held will end") { state, running in
      state.lease == nil || running.requests(of: TimerRequest<String>.self).contains { $0.id != "ask" }
    }
    .explore(depth: 12)
    #expect(report.counterexamples.isEmpty, "\(report)")
  }

  @Test("agent: nothing is deleted that nobody approved, and the budget ends it")
  func agent() {
    let harmless = AgentLoop.Call(tool: "search", argument: "logs")
    let harmful = AgentLoop.Call(tool: "delete", argument: "old.log")
    let report = Explorer(
      initialState: AgentLoop.State(), comparing: { "\($0)" }, reduce: AgentLoop.reduce,
      connect: {
        AgentLoop.connect(to: $0, ledger: Ledger(at: "/nowhere"), think: { _ in .answer("") }) { _ in "" }
      }
    )
    .userActions { state in
      if state.transcript.isEmpty { return [.asked("tidy up", budget: 2)] }
      return state.call.map { [.decided($0, isApproved: true), .decided($0, isApproved: false)] } ?? []
    }
    .outcomes(of: [String].self) { _ in
      [
        .answers(.thought(.call(harmless))), .answers(.thought(.call(harmful))),
        .answers(.thought(.answer("done"))),
      ]
    }
    .outcomes(of: AgentLoop.Call.self) { [.answers(.used($0, "done"))] }
    .always("what does harm is approved") { state, running in
      state.isApproved || running.requests(of: AgentLoop.Call.self).allSatisfy(\.isHarmless)
    }
    .always("an approval is of the call that waits") { $0.call != nil || !$0.isApproved }
    .always("it either thinks, works or asks") { state, running in
      state.transcript.isEmpty || state.outcome != nil || running.count == (state.question == nil ? 1 : 0)
    }
    .always("the budget holds") { $0.transcript.count <= 3 }
    .explore()
    #expect(report.isClean, "\(report)")
    // A decision that comes late is not one about another call.
    var asking = AgentLoop.State(transcript: ["tidy up"], budget: 2, call: harmful)
    AgentLoop.reduce(&asking, .decided(harmless, isApproved: true))
    #expect(!asking.isApproved && asking.question != nil)
  }
}
