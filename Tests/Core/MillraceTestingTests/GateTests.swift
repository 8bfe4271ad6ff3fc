import MillraceTesting
import Testing

@Suite struct GateTests {
  let gate = Gate()

  private func waiter(_ outcomes: Recorder<Outcome> = Recorder()) -> Task<Outcome, Never> {
    Task { [gate] in
      let outcome = await outcome { try await gate.wait() }
      outcomes.append(outcome)
      return outcome
    }
  }

  @Test("a closed gate holds up those who come until it opens")
  func documentedExample() async throws {
    let loading = Task { [gate] in
      try await gate.wait()
      return "page"
    }
    try await gate.waiters(atLeast: 1)
    #expect(gate.waiterCount == 1)
    gate.open()
    #expect(gate.waiterCount == 0)
    #expect(try await loading.value == "page")
  }

  @Test("an open gate stays open until it is closed, and keeps no pass beyond that")
  func openAndClose() async throws {
    gate.open()
    #expect(gate.isOpen)
    try await gate.wait()
    await gate.waitIgnoringCancellation()
    gate.pass(3)
    gate.close()
    #expect(!gate.isOpen)
    gate.pass(2)
    gate.close()
    let task = waiter()
    try await gate.waiters(atLeast: 1)
    gate.open()
    #expect(await task.value == .done)
    try await Gate(isOpen: true).wait()
    #expect(!Gate().isOpen)
  }

  @Test("a pass lets one through and the gate stays closed; one that nobody waits for is kept")
  func pass() async throws {
    let outcomes = Recorder<Outcome>()
    let tasks = (0..<3).map { _ in waiter(outcomes) }
    try await gate.waiters(atLeast: 3)
    gate.pass()
    #expect(gate.waiterCount == 2)
    #expect(try await outcomes.values(atLeast: 1) == [.done])
    gate.pass(4)
    for task in tasks { #expect(await task.value == .done) }
    #expect(!gate.isOpen)
    try await gate.wait()
    await gate.waitIgnoringCancellation()
    let late = waiter()
    try await gate.waiters(atLeast: 1)
    gate.open()
    #expect(await late.value == .done)
  }

  @Test("each pass lets the one through that came first")
  func order() async throws {
    let through = Recorder<Int>()
    for number in 0..<5 {
      Task {
        try await gate.wait()
        through.append(number)
      }
      try await gate.waiters(atLeast: number + 1)
    }
    for count in 1...3 {
      gate.pass()
      #expect(try await through.values(atLeast: count) == Array(0..<count))
    }
    gate.pass(2)
    #expect(try await Set(through.values(atLeast: 5)) == [0, 1, 2, 3, 4])
  }

  @Test("a task cancelled before it waits is told so, even at an open gate, and uses up no pass")
  func cancelledEarly() async throws {
    gate.pass()
    let closed = cancelledTask { [gate] in try await gate.wait() }
    #expect(await closed.value == .cancelled)
    try await gate.wait()
    gate.open()
    let open = cancelledTask { [gate] in try await gate.wait() }
    #expect(await open.value == .cancelled)
    #expect(gate.waiterCount == 0)
  }

  @Test("a waiting task that is cancelled leaves at once and the next pass goes to another")
  func cancelledWhileWaiting() async throws {
    let first = waiter()
    try await gate.waiters(atLeast: 1)
    let second = waiter()
    try await gate.waiters(atLeast: 2)
    first.cancel()
    #expect(gate.waiterCount == 1)
    #expect(await first.value == .cancelled)
    gate.pass()
    #expect(await second.value == .done)
  }

  @Test("a task cancelled after it was let through goes on as usual")
  func cancelledLate() async throws {
    let task = waiter()
    try await gate.waiters(atLeast: 1)
    gate.pass()
    task.cancel()
    #expect(await task.value == .done)
  }

  @Test("a wait that ignores cancellation, early or late, lasts until the gate lets it through")
  func ignoringCancellation() async throws {
    let task = Task { [gate] in
      await gate.waitIgnoringCancellation()
      return Task.isCancelled
    }
    try await gate.waiters(atLeast: 1)
    task.cancel()
    let early = cancelledTask { [gate] in await gate.waitIgnoringCancellation() }
    try await gate.waiters(atLeast: 2)
    gate.pass(2)
    #expect(await task.value)
    #expect(await early.value == .done)
  }

  @Test("waiting for waiters ends when the task is cancelled")
  func watcherCancelled() async {
    let task = Task { [gate] in
      await outcome { try await gate.waiters(atLeast: 1) }
    }
    task.cancel()
    #expect(await task.value == .cancelled)
  }
}
