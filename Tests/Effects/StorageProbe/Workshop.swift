import Millrace
import MillraceStorage

/// A piece of work, named by the life of the program in which it came up and a number.
struct Job: Hashable, Codable, Sendable {
  var life: Int
  var number: Int
  var attempt = 1

  var key: String { "\(life).\(number)" }
}

extension Job: LosslessStringConvertible {
  var description: String { "\(life).\(number)x\(attempt)" }

  init?(_ description: String) {
    let numbers = description.split(whereSeparator: { $0 == "." || $0 == "x" }).compactMap { Int($0) }
    guard numbers.count == 3 else { return nil }
    (life, number, attempt) = (numbers[0], numbers[1], numbers[2])
  }
}

/// Does what it tells, which stands for a step in the world.
private struct JobEffect: EffectComponent {
  func requests(in jobs: Set<Job>) -> Set<Job> { jobs }

  func run(_ job: Job, send: Send<Workshop.Action>) async {
    say("started \(job)")
    for _ in 0..<job.number % 4 { await Task.yield() }
    say("done \(job)")
    await send(.done(job))
  }
}

/// A program that does one job after the other, four at a time, and decides what to do with those that an earlier
/// life of it has left.
struct Workshop: Equatable, Sendable {
  enum Action: Sendable {
    case done(Job)
    case once(OnceEvent<Job>)
    case ledger(LedgerEvent<Job>)
  }

  let life: Int
  var lastNumber = 0
  var jobs: Set<Job>
  var interruptions = Interruptions<Job>()

  static func run(ledgerPath: String, life: Int, restored: some Sequence<String>) async {
    var state = Workshop(life: life, jobs: Set(restored.compactMap(Job.init)))
    for _ in 0..<4 { state.takeOn() }
    let store = Store(initialState: state) { (state: inout Workshop, action: Action) in state.reduce(action) }
    let ledger = Ledger<Job>(at: ledgerPath, format: .json(), remembering: 100)
    store.connect(
      JobEffect().once(in: ledger, key: \.key, attempt: \.attempt, event: Action.once), to: \.jobs)
    store.connect(LedgerEffect(ledger), to: \.interruptions, action: Action.ledger)
    await inputEnded()
  }

  private mutating func takeOn() {
    lastNumber += 1
    jobs.insert(Job(life: life, number: lastNumber))
  }

  /// Tells what it decides, before anything can come of it.
  private mutating func reduce(_ action: Action) {
    switch action {
    case .done(let job):
      jobs.remove(job)
      takeOn()
    case .once(.interrupted(let job, _)), .once(.ended(let job, _)):
      say("refused \(job)")
      jobs.remove(job)
    case .once(.notBegun(let failure, _)), .once(.endNotWritten(let failure, _)):
      say("failed \(failure)")
    case .ledger(let event):
      interruptions.reduce(event)
      decide(about: event)
    }
  }

  private mutating func decide(about event: LedgerEvent<Job>) {
    switch event {
    case .interrupted(var job, let key):
      say("interrupted \(job)")
      let age = life - job.life
      if job.number % 3 == 0 {
        job.attempt += 1
        say("again \(job)")
        interruptions.decided(key)
        jobs.insert(job)
      } else if job.number % 3 == 1 || age > 3 {
        say("gave-up \(job)")
        interruptions.giveUp(key)
      }
    case .opened(let damaged): say("opened \(damaged.count)")
    case .forgotten(let key): say("forgotten \(key)x0")
    case .failed(let failure): say("failed \(failure)")
    }
  }
}
