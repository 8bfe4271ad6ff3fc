import Dispatch

// A test store has settled when all work in progress waits for something that only the test causes: an advance of a
// clock, an open gate, an answer. Long-running work may also wait for anything else.

extension Engine {
  /// The amount of counted work in a scope that does not wait for the test. The turn lock and the lock of the displays
  /// must be held.
  func workAtWork(in account: Account) -> Int {
    guard decided.isEmpty, counter?.isIdle ?? true else { return .max }
    let waits = mail.withLock { Array($0.waits.values) }
    decide { $0.keep(waits) }  // one that ends meanwhile holds the user's values
    let parked = waits.parked
    return (account.runs + account.updates).counted
      - parked.count { $0.isCounted && $0.connected.account.isWithin(account) }
  }
}

extension [Wait] {
  /// The work that waits for the test: each of its tasks that has stated a wait waits for the test. A wait in a line
  /// counts while any work of the store waits for the test.
  fileprivate var parked: [CurrentWork] {
    let works = Dictionary(grouping: innermost.filter(\.work.keepsWaiting), by: \.work.key).values
    let parked = works.filter { !$0.contains { $0.endsBy == .byItself } }
    return parked.joined().contains { $0.endsBy == .byTest } ? parked.map { $0[0].work } : []
  }
}

extension CurrentWork {
  /// Whether it is in progress or waits for the run before it.
  fileprivate var keepsWaiting: Bool {
    if case .run(let run) = self, run.phase == .decided { return true }
    return isUnderWay
  }
}

/// Counts what a test store does without a lock: jobs of its tasks, and threads that perform decisions of turns. While
/// the count is positive, the store is not settled.
///
/// The count distinguishes a task that is about to continue from one that waits, however many tasks a run has made. A
/// task that is resumed has a job before the call that resumes it returns.
final class JobCounter: Sendable {
  private weak let engine: Engine?  // the engine keeps this
  private let jobs = Lock(0)

  init(_ engine: Engine) { self.engine = engine }

  var isIdle: Bool { jobs.withLock { $0 == 0 } }

  func count(_ change: Int) {
    jobs.withLock { $0 += change }
    if isIdle { engine?.locked {} }
  }
}

/// The type of a task's operation. It is generic like that of `Task`, since any other is converted, which costs each
/// task a frame.
typealias TaskBody<Value> = @isolated(any) @Sendable () async -> Value

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension JobCounter: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    count(1)
    DispatchQueue.global().async { [self] in
      job.runSynchronously(on: asUnownedTaskExecutor())
      count(-1)
    }
  }
}

extension Engine {
  /// Begins a task of the store.
  func begin<Value>(_ priority: TaskPriority?, _ body: @escaping TaskBody<Value>) -> Task<Value, Never> {
    if let counter, #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      return Task.detached(executorPreference: counter, priority: priority, operation: body)
    }
    return Task.detached(priority: priority, operation: body)
  }
}
