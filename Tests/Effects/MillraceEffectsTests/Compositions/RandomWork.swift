import Millrace
import MillraceTesting
import TestSupport

/// What is seen of the effect within, and what it and the policies around it send.
enum Mark: Codable, Hashable, Sendable {
  case began(Int)
  case halfway(Int)
  case done(Int)
  case failed(Int)
  case timedOut(Int)
  case dropped(Int)
  case refused(Int)
  case retrying(Int, attempt: Int)

  var request: Int {
    switch self {
    case .began(let number), .halfway(let number), .done(let number), .failed(let number),
      .timedOut(let number),
      .dropped(let number), .refused(let number), .retrying(let number, _):
      number
    }
  }
}

struct TimedMark: Hashable, Sendable, CustomStringConvertible {
  let time: Duration
  let mark: Mark
  var description: String { "\(time): \(mark)" }
}

/// How long each run of the effect within takes and how it ends, by its number.
struct RunScript: Sendable {
  let seed: UInt64

  func run(_ number: Int) -> (takes: Duration, fails: Bool) {
    var random = SeededGenerator(seed: seed &+ UInt64(number) &* 0x1234_5678_9ABC_DEF1)
    return (
      .microseconds(Int.random(in: 2...3_000_000, using: &random)), Int.random(in: 0..<3, using: &random) == 0
    )
  }
}

extension RunScript {
  /// Whether a run that fails does so before it has sent anything.
  func failsEarly(_ number: Int) -> Bool {
    var random = SeededGenerator(seed: seed &+ UInt64(number) &* 0x9ABC_DEF1_1234_5679)
    return Bool.random(using: &random)
  }
}

/// An effect whose runs go as a script says, and heed their cancellation.
struct RandomWork: EffectComponent {
  struct Failed: Error {}

  let clock: TestClock
  let script: RunScript
  let marks: Recorder<TimedMark>
  private let runs = Lock((begun: 0, underWay: [Int]()))

  /// The requests of the runs that have begun and not returned.
  var underWay: [Int] { runs.withLock { $0.underWay } }

  func requests(in numbers: Set<Int>) -> Set<Int> { numbers }

  func run(_ number: Int, send: Send<Mark>) async throws(Failed) {
    let run = runs.withLock { runs in
      runs.begun += 1
      runs.underWay.append(number)
      return runs.begun
    }
    defer {
      runs.withLock { runs in
        if let index = runs.underWay.firstIndex(of: number) { runs.underWay.remove(at: index) }
      }
    }
    marks.append(TimedMark(time: clock.now.sinceStart, mark: .began(number)))
    let (takes, fails) = script.run(run)
    do {
      try await clock.sleep(for: takes / 2)
    } catch {
      return
    }
    if fails, script.failsEarly(run) { throw Failed() }
    do {
      await send(.halfway(number))
      try await clock.sleep(for: takes - takes / 2)
    } catch {
      return
    }
    if fails { throw Failed() }
    await send(.done(number))
  }

  func action(for failure: Failed, of number: Int) -> Mark { .failed(number) }
}
