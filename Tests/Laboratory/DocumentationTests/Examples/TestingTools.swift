import MillraceTesting
import Testing

private struct Row: Identifiable, Equatable, Sendable {
  let id: Int
  var title: String
}

private struct Cart: Equatable, Sendable {
  var count = 0
  var rows: [Row] = []
}

@Suite struct TestingToolExamples {
  @Test("a gate holds up a load")
  func gate() async throws {
    // Gate
    let gate = Gate()
    let loading = Task {
      try await gate.wait()
      return "page"
    }
    try await gate.waiters(atLeast: 1)  // the load has begun, and goes no further
    gate.open()
    #expect(try await loading.value == "page")
  }

  @Test("a stream that the test feeds")
  func stream() async throws {
    // TestStream
    let prices = TestStream<Int>()
    let reading = Task { await prices.first { $0 > 1 } }
    prices.send(1)
    prices.send(2)
    prices.finish()
    #expect(await reading.value == 2)
  }

  @Test("a recorder gives what it was given")
  func recorder() async throws {
    // Recorder
    let lines = Recorder<String>()
    Task { lines.append("ready") }
    #expect(try await lines.values(atLeast: 1) == ["ready"])
  }

  @Test("a test clock wakes those who are due")
  func clock() async throws {
    // TestClock
    let clock = TestClock()
    let reminder = Task {
      try await clock.sleep(for: .seconds(60))
      return "stand up"
    }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(60))
    #expect(try await reminder.value == "stand up")
  }

  @Test("a test clock is moved from one due instant to the next")
  func settling() async throws {
    let clock = TestClock()
    // TestClock.advance(by:settling:)
    let ticks = Recorder<TestInstant>()
    let ticking = Task {
      while true {
        try await clock.sleep(for: .seconds(1))
        ticks.append(clock.now)
      }
    }
    try await clock.advance(by: .seconds(3)) { try await clock.sleepers(atLeast: 1) }
    #expect(ticks.values.map(\.sinceStart) == [.seconds(1), .seconds(2), .seconds(3)])
    ticking.cancel()
    // TestInstant
    #expect(clock.now == .start + .seconds(3))
  }

  @Test("an immediate clock makes nobody wait")
  func immediate() async throws {
    // ImmediateClock
    let clock = ImmediateClock()
    try await clock.sleep(for: .seconds(3600))
    #expect(clock.now == .start + .seconds(3600))
  }

  @Test("a difference of two carts")
  func difference() {
    // Difference
    let old = Cart(count: 0, rows: [Row(id: 7, title: "Frogs"), Row(id: 9, title: "Newts")])
    let new = Cart(count: 1, rows: [Row(id: 7, title: "Toads")])
    print(Difference(from: old, to: new))
    //   count: 0 → 1
    //   rows[id: 9]: removed Row(id: 9, title: "Newts")
    //   rows[id: 7].title: "Frogs" → "Toads"
    #expect(Difference(from: old, to: new).count == 3)
  }

  @Test("a seed gives the same dice again")
  func seeded() {
    // SeededRandom
    var random = SeededRandom(seed: 7)
    let dice = (1...5).map { _ in Int.random(in: 1...6, using: &random) }
    random = SeededRandom(seed: 7)
    #expect((1...5).map { _ in Int.random(in: 1...6, using: &random) } == dice)
  }

  @Test("ids are numbered")
  func ids() {
    // IncrementingIDs
    struct Order: Equatable, Sendable { let id: String }
    let ids = IncrementingIDs { "order-\($0)" }
    let makeOrder: @Sendable () -> Order = { Order(id: ids.next()) }
    #expect(makeOrder() == Order(id: "order-0"))
    #expect(makeOrder() == Order(id: "order-1"))
  }
}
