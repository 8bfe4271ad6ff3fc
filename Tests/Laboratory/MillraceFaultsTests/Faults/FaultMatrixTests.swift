import Millrace
import MillraceFaults
import MillraceTestStore
import MillraceTesting
import Testing

/// A payment in two requests, of which each may have a mistake planted in it.
@Suite struct FaultMatrixTests {
  struct Declined: Error, Equatable {}

  enum Mistake: CaseIterable {
    case none
    /// What a failed charge becomes is forgotten.
    case forgottenFailure
    /// Each answer counts.
    case countsTwice
    /// The state cannot do without both answers.
    case needsOne
  }

  struct State: Equatable, Sendable {
    var charging: Int?
    var receipt: Int?
    var paid = 0
    var isBusy = false
    var failures = 0
  }

  enum Action: Equatable, Sendable {
    case pay(Int)
    case charged(Int)
    case declined
    case printed
    case notPrinted
  }

  struct Charge: Hashable, Sendable { let amount: Int }
  struct Print: Hashable, Sendable { let amount: Int }

  struct ChargeEffect: EffectComponent {
    func requests(in state: State) -> Set<Charge> { state.charging.map { [Charge(amount: $0)] } ?? [] }
    func run(_ request: Charge, send: Send<Action>) async throws(Declined) {}
    func action(for failure: Declined, of request: Charge) -> Action { .declined }
  }

  struct PrintEffect: EffectComponent {
    func requests(in state: State) -> Set<Print> { state.receipt.map { [Print(amount: $0)] } ?? [] }
    func run(_ request: Print, send: Send<Action>) async throws(Declined) {}
    func action(for failure: Declined, of request: Print) -> Action { .notPrinted }
  }

  private func matrix(_ mistake: Mistake) -> FaultMatrix<State, Action> {
    unchecked(mistake).invariant("no debt") { $0.paid >= 0 }
  }

  private func unchecked(_ mistake: Mistake) -> FaultMatrix<State, Action> {
    FaultMatrix(
      initialState: State(),
      reduce: { state, action in
        switch action {
        case .pay(let amount):
          state.charging = amount
          state.isBusy = true
        case .charged(let amount):
          if mistake != .countsTwice { state.charging = nil }
          state.paid += amount
          state.receipt = amount
        case .declined:
          state.failures += 1
          if mistake == .forgottenFailure { return }
          state.charging = nil
          state.isBusy = false
        case .printed:
          state.receipt = nil
          state.charging = nil
          state.isBusy = false
        case .notPrinted:
          state.failures += 1
          state.receipt = nil
          state.charging = nil
          state.isBusy = false
        }
      },
      connect: { store in
        store.connect(ChargeEffect())
        store.connect(PrintEffect())
      })
  }

  private func report(_ matrix: FaultMatrix<State, Action>) async -> FaultReport {
    await matrix
      .failures(of: Charge.self) { _ in Declined() }
      .failures(of: Print.self) { _ in Declined() }
      .run { store in
        store.exhaustivity = [.requests, .actions]
        store.send(.pay(5)) { $0.isBusy = true }
        store.answer(Charge(amount: 5), with: .charged(5)) { $0.paid = 5 }
        store.answer(Print(amount: 5), with: .printed) { $0.isBusy = false }
        await store.finish()
      }
  }

  @Test func aFeatureWithoutAMistakeIsClean() async {
    let report = await report(
      matrix(.none).invariant("paid once") { $0.paid <= 5 }.invariant("one failure") { $0.failures <= 1 })
    #expect(report.isClean, "\(report)")
    // Four faults of two kinds, and the pairs of one of each.
    #expect(report.reruns == 8 + 16)
    #expect(report.description == "  24 reruns, 0 broken invariants")
  }

  @Test func aForgottenFailure() async {
    let report = await report(
      matrix(.forgottenFailure).finally("not busy after a failure") { $0.failures == 0 || !$0.isBusy })
    #expect(
      report.breaks.map(\.description) == [
        """
          "not busy after a failure" is broken when FaultMatrixTests.ChargeEffect (FaultMatrixTests.Charge) fails:
            1. .pay(5)
            2. FaultMatrixTests.ChargeEffect Charge(amount: 5) fails with Declined()
            3. .declined from FaultMatrixTests.ChargeEffect Charge(amount: 5)
        """
      ])
  }

  @Test func anAnswerThatCountsTwice() async {
    let report = await report(matrix(.countsTwice).invariant("paid once") { $0.paid <= 5 })
    #expect(
      report.breaks.map(\.faults) == [
        ["FaultMatrixTests.ChargeEffect (FaultMatrixTests.Charge) answers twice"]
      ])
    #expect(
      report.breaks.first?.story == [
        ".pay(5)", "FaultMatrixTests.ChargeEffect Charge(amount: 5) answers twice",
        ".charged(5) from FaultMatrixTests.ChargeEffect Charge(amount: 5)",
        ".charged(5) from FaultMatrixTests.ChargeEffect Charge(amount: 5)",
      ])
  }

  @Test func aRequestThatNeverAnswers() async {
    let report = await report(matrix(.none).finally("not busy") { !$0.isBusy })
    #expect(
      Set(report.breaks.map(\.faults)) == [
        ["FaultMatrixTests.ChargeEffect (FaultMatrixTests.Charge) never answers"],
        ["FaultMatrixTests.ChargeEffect (FaultMatrixTests.Charge) answers late"],
        ["FaultMatrixTests.PrintEffect (FaultMatrixTests.Print) never answers"],
      ])
  }

  @Test func aPairOfWhichNeitherBreaksAnythingAlone() async {
    let matrix = FaultMatrix<Pair, PairAction>(
      initialState: Pair(),
      reduce: { state, action in
        switch action {
        case .left: state.left = true
        case .right: state.right = true
        case .end: state.isOver = true
        }
      },
      connect: { store in
        store.connect(when: { $0.left ? nil : "left" }, named: "left") { _, _ in }
        store.connect(when: { $0.right ? nil : "right" }, named: "right") { _, _ in }
      })
    let report = await matrix.finally("one of them") { $0.left || $0.right || !$0.isOver }.run { store in
      store.exhaustivity = .none
      store.answer("left", with: .left)
      store.answer("right", with: .right)
      store.send(.end)
      await store.finish()
    }
    #expect(
      report.breaks.map(\.faults) == [
        ["left (String) never answers", "right (String) never answers"]
      ])
    #expect(report.untriedFailures.isEmpty)
  }

  struct Pair: Equatable, Sendable {
    var left = false
    var right = false
    var isOver = false
  }

  enum PairAction: Sendable { case left, right, end }

  @Test func theBoundOfPairsAndWhatCannotBeTried() async {
    let report = await matrix(.none).pairs(atMost: 3).run { store in
      store.exhaustivity = .none
      store.send(.pay(5))
      store.answer(Charge(amount: 5), with: .charged(5))
      store.answer(Print(amount: 5), with: .printed)
      await store.finish()
    }
    #expect(
      report.description == """
          9 reruns, 0 broken invariants; 6 pairs were left out
          FaultMatrixTests.ChargeEffect (FaultMatrixTests.Charge) can fail, and no failure of it was given
          FaultMatrixTests.PrintEffect (FaultMatrixTests.Print) can fail, and no failure of it was given
        """)
  }

  @Test func aTestThatBreaksAnInvariantItself() async {
    let report = await report(matrix(.none).invariant("never paid") { $0.paid == 0 })
    #expect(
      report.breaks.first?.description.hasPrefix("  \"never paid\" is broken when without a fault:") == true)
    #expect(report.breaks.count == 1)
  }

  @Test func expectationsOfRerunsDoNotCount() async {
    var runs = (all: 0, again: 0)
    let report = await matrix(.none).withoutFailures(of: Charge.self).withoutFailures(of: Print.self).run {
      store in
      runs.all += 1
      if store.isRerun { runs.again += 1 }
      store.send(.pay(5)) {
        $0.isBusy = true
        $0.charging = 5
      }
      store.answer(Charge(amount: 5), with: .charged(5)) {
        $0.charging = nil
        $0.paid = 5
        $0.receipt = 5
      }
      #expect(store.state.paid == 5)
      #expect(store.state.receipt == 5)
      store.answer(Print(amount: 5), with: .printed) {
        $0.receipt = nil
        $0.isBusy = false
      }
      await store.finish()
    }
    #expect(report.isClean)
    #expect(report.reruns > 0)
    #expect(runs == (report.reruns + 1, report.reruns))
  }

  private func pays(_ store: TestStore<State, Action>) async {
    store.exhaustivity = .none
    for amount in [5, 5, 6] {
      store.send(.pay(amount))
      store.answer(Charge(amount: amount), with: .charged(amount))
      store.answer(Print(amount: amount), with: .printed)
    }
    await store.finish()
  }

  @Test func eachRequestOfAKindIsStruckByItself() async {
    let report = await matrix(.none).withoutFailures(of: Print.self).failures(of: Charge.self) { _ in
      Declined()
    }
    .invariant("fewer than 16") { $0.paid < 16 }.pairs(atMost: 0).run(pays)
    #expect(report.reruns == 4 + 3 + 3 * 4 + 3 * 3)
    #expect(report.breaks.map(\.faults) == [[]])
    let charge = "FaultMatrixTests.ChargeEffect Charge(amount:"
    let one = await matrix(.none).withoutFailures(of: Print.self).failures(of: Charge.self) { _ in Declined()
    }
    .finally("not just the second") { $0.paid != 11 || $0.failures == 0 }.pairs(atMost: 0).run(pays)
    #expect(one.breaks.map(\.faults) == [["\(charge) 5) fails"], ["\(charge) 5) (run 2) fails"]])
  }

  @Test func aFaultOfOneRequestIsNotToldWhereAllOfItsKindBreakTheSame() async {
    let report = await matrix(.none).withoutFailures(of: Print.self).failures(of: Charge.self) { _ in
      Declined()
    }
    .finally("no failure") { $0.failures == 0 }.pairs(atMost: 0).run(pays)
    #expect(
      report.breaks.map(\.faults) == [["FaultMatrixTests.ChargeEffect (FaultMatrixTests.Charge) fails"]])
  }

  @Test func theBoundOfSinglesHasToBeAllowed() async {
    let matrix = matrix(.none).withoutFailures(of: Charge.self).withoutFailures(of: Print.self)
      .pairs(atMost: 0)
    let bounded = await matrix.singles(atMost: 5).run(pays)
    #expect(bounded.omittedSingles == 13 && bounded.isClean)
    #expect(bounded.description.contains("13 faults of single requests were left out"))
    #expect(FaultReport.bounded(isOmissionAllowed: true).isClean)
    #expect(!FaultReport.bounded(isOmissionAllowed: false).isClean)
  }

  @Test func anEffectThatCanFailAndWasNotMadeToIsNotClean() async {
    func test(_ store: TestStore<State, Action>) async {
      store.exhaustivity = .none
      store.send(.pay(5))
      store.answer(Charge(amount: 5), with: .charged(5))
      await store.finish()
    }
    let report = await matrix(.none).run(test)
    #expect(report.breaks.isEmpty && !report.isClean)
    #expect(
      report.untriedFailures == [
        "FaultMatrixTests.ChargeEffect (FaultMatrixTests.Charge) can fail, and no failure of it was given"
      ])
    #expect(await matrix(.none).withoutFailures(of: Charge.self).run(test).isClean)
    #expect(await !matrix(.none).withoutFailures(of: Print.self).run(test).isClean)
    struct Other: Error {}
    let wrong = await matrix(.none).failures(of: Charge.self) { _ in Other() }.run(test)
    #expect(!wrong.isClean && wrong.reruns == 3)
    #expect(
      wrong.untriedFailures == [
        """
        FaultMatrixTests.ChargeEffect (FaultMatrixTests.Charge) throws FaultMatrixTests.Declined, and the failure \
        given for it is FaultMatrixTests.Other
        """
      ])
  }

  @Test func aRunThatOnlyGoesOnIsStruckHalfway() async {
    struct Ticker: EffectComponent {
      func requests(in state: [String]) -> Set<Int> { [1] }
      func run(_ request: Int, send: Send<String>) async throws(Declined) {}
      func action(for failure: Declined, of request: Int) -> String { "failed" }
    }
    let report = await FaultMatrix<[String], String>(
      initialState: [], reduce: { $0.append($1) }, connect: { $0.connect(Ticker(), named: "ticker") }
    )
    .failures(of: Int.self) { _ in Declined() }
    .finally("no failure") { !$0.contains("failed") }
    .run { store in
      store.exhaustivity = .none
      store.send("tick", from: 1)
      store.send("tick", from: 1)
      await store.finish(running: 1)
    }
    #expect(
      report.breaks.map(\.faults) == [
        ["ticker (Int) fails"], ["ticker (Int) fails after 1 action"], ["ticker (Int) fails after 2 actions"],
      ])
    #expect(report.breaks.map(\.story.count) == [2, 3, 4])
  }

  @Test func requestsOfRowsAndRequestsThatWereHandedOverAreNamedAndFail() async {
    struct Row: Identifiable, Equatable, Sendable {
      let id: Int
      var text = "a"
      var log = ""
    }
    struct Failed: Error { let text: String }
    struct Save: HandoverEffectComponent {
      func id(of request: String) -> Int { 1 }
      func requests(in state: Row) -> Set<String> { state.log.isEmpty ? [state.text] : [] }
      func run(following requests: RequestUpdates<String>, send: Send<String>) async throws(Failed) {}
      func action(for failure: Failed, of request: String) -> String {
        "failed \(failure.text)"
      }
    }
    let matrix = FaultMatrix<KeyedArray<Row>, RowAction>(
      initialState: [Row(id: 1), Row(id: 2)],
      reduce: { rows, action in
        switch action {
        case .typed(let text): rows[id: 2]?.text = text
        case .log(let id, let text): rows[id: id]?.log = text
        }
      },
      connect: { store in
        store.connectEach(\.self, action: { id, text in .log(id, text) }) { _, row in
          row.connect(Save(), named: "save")
        }
      })
    let report = await matrix.failures(of: String.self) { Failed(text: $0) }
      .invariant("the second is saved") { !($0[id: 2]?.log.hasPrefix("failed") ?? false) }
      .run { store in
        store.exhaustivity = .none
        store.send(.typed("b"))
        store.answer("a", in: 1, with: "saved")
        store.answer("b", in: 2, with: "saved")
        await store.finish()
      }
    #expect(report.breaks.map(\.faults) == [["save (String) fails"]])
    #expect(report.breaks.first?.story.dropLast().last == #"save "b" fails with Failed(text: "b")"#)
    let one = await matrix.withoutFailures(of: String.self)
      .finally("not the second alone") { $0[id: 2]?.log != "" || $0[id: 1]?.log == "" }
      .pairs(atMost: 0)
      .run { store in
        store.exhaustivity = .none
        for id in 1...2 { store.answer("a", in: id, with: "saved") }
        await store.finish()
      }
    #expect(one.breaks.map(\.faults) == [[#"save "a" in 2 never answers"#]])
  }

  enum RowAction: Sendable {
    case typed(String)
    case log(Int, String)
  }

  @Test func aTestThatAnswersNothingIsNotClean() async {
    let report = await matrix(.none).run { store in
      store.exhaustivity = .none
      store.send(.pay(5))
      await store.finish()
    }
    #expect(!report.isClean && report.reruns == 0)
    #expect(report.description.hasSuffix("  the test answers no request, so nothing could go wrong"))
  }

  @Test func aMatrixWithoutAnInvariantSaysThatNothingWasChecked() async {
    let report = await report(unchecked(.forgottenFailure))
    #expect(!report.isClean && report.breaks.isEmpty && report.reruns == 24)
    #expect(
      report.description.hasSuffix(
        "nothing was checked: the matrix at MillraceFaultsTests/FaultMatrixTests.swift:57 "
          + "has no invariant(_:_:) and no finally(_:_:)"), "\(report)")
  }
}
