import Millrace
import MillraceEffects
import MillraceTestStore
import MillraceTesting
import TestSupport
import Testing

/// A test never hangs: a step that waits for too long fails, once, and says for what.
@Suite struct TestStoreHangTests {
  let watch = TestClock()
  let outside = AsyncStream<Int>.makeStream()

  /// A store whose runs read from outside, where nothing comes; some say so.
  private func store(_ requests: [String]) -> TestStore<[String], Int> {
    let store = TestStore(
      initialState: requests, serving: .bodies, reduce: { (_: inout [String], _: Int) in },
      connect: { [outside] store in
        store.connect(when: { Set($0) }, named: "reader") { request, _ in
          if request.hasPrefix("marked") {
            await withWaitReason("the world") { for await _ in outside.stream {} }
          } else {
            for await _ in AsyncStream<Int>.makeStream().stream {}
          }
        }
      })
    store.measuresWaits(by: watch)
    return store
  }

  /// A store with one run of the given body.
  private func store(
    named name: String, longRunning: Bool = false, _ body: @escaping @Sendable () async -> Void
  ) -> TestStore<Bool, Int> {
    let store = TestStore(
      initialState: true, serving: .bodies, reduce: { (_: inout Bool, _: Int) in },
      connect: { store in
        store.connect(when: { $0 ? 1 : nil }, named: name, longRunning: longRunning) { _, _ in await body() }
      })
    store.measuresWaits(by: watch)
    return store
  }

  /// Returns when the runs have begun and say what they wait for: the time passes as soon as a step waits.
  private func isWaiting<State, Action>(_ store: TestStore<State, Action>, for reason: String) async {
    try? await eventually { "\(store.store.activity)".contains("waits for \(reason)") }
  }

  /// The failures of `body`, during which the time of the watch passes once a step waits.
  private func failures(
    after time: Duration = .seconds(10), _ body: @escaping @Sendable () async -> Void
  ) async -> [TestFailure] {
    await FailureCapture.failures {
      async let passing: Void = {
        _ = try? await watch.sleepers(atLeast: 1)
        watch.advance(by: time)
      }()
      await body()
      _ = await passing
    }
  }

  @Test func aStepThatWaitsTooLongFailsAtItsLine() async {
    let failures = await failures { [self] in
      let store = store(["plain", "marked"])
      await isWaiting(store, for: "the world")
      await store.settle(line: 7)
      await store.receive(1)
      await store.advance(TestClock(), by: .seconds(1))
      await store.finish()
    }
    #expect(failures.map(\.place.line) == [7])
    let lines = failures.first?.message.split(separator: "\n").sorted() ?? []
    #expect(
      lines == [
        "  reader \"marked\", asked for on connect, waits for the world",
        "  reader \"plain\", asked for on connect, does not say what it waits for",
        "settle() has waited for 10.0 seconds, for",
      ])
  }

  @Test func everyStepThatWaitsIsBounded() async {
    for (step, name) in [
      ({ @Sendable store in await store.receive(1, line: 3) }, "receive(1)"),
      ({ @Sendable store in await store.receive(where: { $0 == 1 }, line: 3) }, "receive(where:)"),
      (
        { @Sendable store in await store.advance(TestClock(), by: .seconds(1), line: 3) },
        "advance(by: 1.0 seconds)"
      ),
      ({ @Sendable store in await store.finish(line: 3) }, "finish()"),
    ] as [(@Sendable (TestStore<[String], Int>) async -> Void, String)] {
      let failures = await failures { [self] in
        let store = store(["a"])
        await step(store)
        await store.finish()
      }
      #expect(failures.map(\.place.line) == [3])
      #expect(
        failures.first?.message.hasPrefix("\(name) has waited for 10.0 seconds, for\n\n  reader \"a\"")
          == true)
    }
  }

  @Test func theTimeCanBeSet() async {
    let failures = await failures(after: .seconds(2)) { [self] in
      let store = store(["a"])
      store.timeLimit = .seconds(2)
      await store.settle()
      await store.finish()
    }
    #expect(failures.count == 1)
    #expect(failures[0].message.hasPrefix("settle() has waited for 2.0 seconds"))
  }

  /// As on a machine whose other tests take every turn until the time has passed.
  @Test func workThatHadNoTurnGetsSome() async {
    let failures = await FailureCapture.failures {
      let store = TestStore(
        initialState: 0, serving: .bodies, reduce: { (state: inout Int, action: Int) in state = action },
        connect: { store in
          store.connect(when: { $0 == 0 ? 1 : nil }, named: "many steps") { _, send in
            for _ in 0..<50 { await Task.yield() }
            await send(1)
          }
        })
      store.countsTurns(200_000)
      await store.receive(1) { $0 = 1 }
      await store.finish()
    }
    #expect(failures.isEmpty)
  }

  @Test func twentyRunsAreNamedAtMost() async {
    let failures = await failures { [self] in
      let store = store((0..<30).map { "\($0)" })
      await store.finish()
    }
    let lines = failures[0].message.split(separator: "\n")
    #expect(lines.count == 22)
    #expect(lines.last == "  and 10 more")
  }

  @Test func aWaitInALineBehindNobodyIsNotForTheTest() async {
    let failures = await failures { [self] in
      let limit = ConcurrencyLimit(1)
      await limit.withSlot {
        let store = store(named: "limited") { await limit.withSlot {} }
        await isWaiting(store, for: "a slot")
        await store.finish()
      }
    }
    #expect(
      failures.map {
        $0.message.hasSuffix("limited 1, asked for on connect, waits for a slot of 1, first in line")
      } == [true])
  }

  /// What waits outside of the test in one of its tasks is at work, whatever the others wait for.
  @Test func aMarkedWaitOutsideIsWaitedFor() async {
    let failures = await failures { [self] in
      let gate = Gate()
      let store = store(named: "both") { [outside] in
        async let inside: Void? = try? gate.wait()
        await withWaitReason("the world") { for await _ in outside.stream {} }
        await inside
      }
      await isWaiting(store, for: "a gate and the world")
      await store.finish()
    }
    #expect(failures.count == 1)
    #expect(failures[0].message.hasSuffix("both 1, asked for on connect, waits for a gate and the world"))
  }

  @Test func theEndHasADeadline() async {
    let failures = await failures { [self] in
      let (never, _) = AsyncStream<Int>.makeStream()
      let store = store(named: "stubborn", longRunning: true) { await Task { for await _ in never {} }.value }
      store.timeLimit = .seconds(500)
      store.measuresWaits(by: ContinuousClock())
      await store.settle()
      store.timeLimit = .seconds(10)
      store.measuresWaits(by: watch)
      store.expect(running: 1)
      await store.finish(line: 5)
    }
    #expect(failures.map(\.place.line) == [5])
    #expect(failures.first?.message.hasPrefix("These do not return though they were stopped:\n\n") == true)
  }
}
