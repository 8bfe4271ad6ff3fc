import Millrace

/// What all stress tests are about: jobs that the state asks for, and sums that must come out.
struct Ledger: Equatable, Sendable {
  var jobs: Set<Job> = []
  var count = 0
  /// What runs have answered, and how many answers came from a run whose job was no longer the one asked for.
  var answers = 0
  var stale = 0

  enum Action: Hashable, Sendable {
    case ask(Job)
    case drop(Int)
    case add(Int)
    case answered(Job)
    case done(Job)
  }

  static func reduce(_ ledger: inout Ledger, _ action: Action) {
    switch action {
    case .ask(let job): ledger.jobs = ledger.jobs.filter { $0.name != job.name }.union([job])
    case .drop(let name): ledger.jobs = ledger.jobs.filter { $0.name != name }
    case .add(let step): ledger.count += step
    case .answered(let job): ledger.answer(job)
    case .done(let job):
      ledger.answer(job)
      ledger.jobs.remove(job)
    }
  }

  private mutating func answer(_ job: Job) {
    answers += 1
    if !jobs.contains(job) { stale += 1 }
  }
}

/// One piece of work; its name is its identity.
struct Job: Hashable, Sendable {
  var name: Int
  var value: Int
}

struct JobEffect: EffectComponent {
  let body: @Sendable (Job, Send<Ledger.Action>) async -> Void

  init(_ body: @escaping @Sendable (Job, Send<Ledger.Action>) async -> Void) { self.body = body }

  func id(of job: Job) -> Int { job.name }
  func requests(in jobs: Set<Job>) -> Set<Job> { jobs }
  func run(_ job: Job, send: Send<Ledger.Action>) async { await body(job, send) }
}

typealias LedgerStore = Store<Ledger, Ledger.Action>

extension Store where State == Ledger, Action == Ledger.Action {
  convenience init(isImmediate: Bool) {
    self.init(initialState: Ledger(), on: isImmediate ? .immediate : .serial(), reduce: Ledger.reduce)
  }
}

/// Counts of what came of what was sent.
final class Fates: Sendable {
  private let counts = Lock([Delivery: Int]())
  func add(_ fate: Delivery) { counts.withLock { $0[fate, default: 0] += 1 } }
  func count(_ fate: Delivery) -> Int { counts.withLock { $0[fate] ?? 0 } }
  var total: Int { counts.withLock { $0.values.reduce(0, +) } }
}
