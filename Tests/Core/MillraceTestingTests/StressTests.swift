import MillraceTesting
import TestSupport
import Testing

/// Many threads at once. What is checked holds in every order; run under ThreadSanitizer to check the rest.
@Suite struct StressTests {
  @Test("sleepers, cancellations and advances from many threads lose nobody")
  func clock() async throws {
    let clock = TestClock()
    let finished = Recorder<Outcome>()
    let loops = (0..<40).map { number in
      Task {
        let outcome = await outcome {
          for round in 0..<50 {
            let deadline = clock.now + .seconds((number + round) % 7)
            try await clock.sleep(until: deadline)
            #expect(clock.now >= deadline)
          }
        }
        finished.append(outcome)
        return outcome
      }
    }
    let movers = (0..<2).map { _ in
      Task {
        while finished.count < loops.count {
          clock.advanceToNextDeadline()
          clock.advance(by: .milliseconds(300))
          await Task.yield()
        }
      }
    }
    await onThreads(4) { thread in
      for number in stride(from: thread, to: loops.count, by: 8) { loops[number].cancel() }
      _ = clock.sleepers
      clock.advance(by: .seconds(1))
    }
    for (number, loop) in loops.enumerated() where number % 8 >= 4 {
      #expect(await loop.value == .done)
    }
    for mover in movers { await mover.value }
    #expect(finished.count == loops.count)
    #expect(clock.sleepers.isEmpty)
  }

  @Test("a sleep that is cancelled and due at the same time ends exactly once")
  func clockRace() async {
    let clock = TestClock()
    for round in 1...300 {
      let task = Task {
        await outcome {
          try await clock.sleep(until: .start + .seconds(round))
        }
      }
      await onThreads(2) { thread in
        if thread == 0 { task.cancel() } else { clock.advance(by: .seconds(1)) }
      }
      _ = await task.value
      #expect(clock.sleepers.isEmpty)
    }
  }

  @Test("watchers of a clock that many threads make sleepers for are all resumed")
  func watchers() async throws {
    let clock = TestClock()
    let watchers = (1...100).map { count in Task { try await clock.sleepers(atLeast: count) } }
    let sleepers = (0..<100).map { _ in Task { try await clock.sleep(for: .seconds(1)) } }
    for watcher in watchers { _ = try await watcher.value }
    clock.advance(by: .seconds(1))
    for sleeper in sleepers { try await sleeper.value }
  }

  @Test("every pass of a gate is used once or left over, whoever is cancelled meanwhile")
  func gate() async throws {
    for _ in 0..<50 {
      let gate = Gate()
      let tasks = (0..<16).map { _ in
        Task { await outcome { try await gate.wait() } }
      }
      await onThreads(4) { thread in
        for number in 0..<4 {
          if number == thread { tasks[thread].cancel() }
          gate.pass()
        }
      }
      var outcomes: [Outcome: Int] = [:]
      for task in tasks { outcomes[await task.value, default: 0] += 1 }
      let left = outcomes[.cancelled, default: 0]
      #expect(outcomes[.done, default: 0] + left == 16)
      #expect(gate.waiterCount == 0)
      for _ in 0..<left { try await gate.wait() }
      let late = Task { try await gate.wait() }
      try await gate.waiters(atLeast: 1)
      late.cancel()
    }
  }

  @Test("a recorder keeps every value that many threads append, each thread's in order")
  func recorder() async throws {
    let recorder = Recorder<(thread: Int, number: Int)>()
    let watchers = (1...40).map { step in Task { try await recorder.values(atLeast: step * 10).count } }
    await onThreads(4) { thread in
      for number in 0..<100 { recorder.append((thread, number)) }
    }
    for (index, watcher) in watchers.enumerated() { #expect(try await watcher.value == (index + 1) * 10) }
    let values = recorder.values
    for thread in 0..<4 {
      #expect(values.filter { $0.thread == thread }.map(\.number) == Array(0..<100))
    }
  }
}
