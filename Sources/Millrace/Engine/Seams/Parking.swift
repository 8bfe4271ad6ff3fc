import Dispatch

// A store of a test has settled when everything under way waits for something that only the test brings about: a clock
// to be advanced, a gate to be opened, an answer. Work in the background may also wait for anything else.

extension Engine {
  /// How much of what counts in a scope is at work: does not wait for the test. The turn lock and the lock of the update
  /// line must be held.
  func workAtWork(in scope: Scope) -> Int {
    guard counter?.isIdle ?? true else { return .max }
    let parked = Array(waits.withLock(\.values)).parked
    return (scope.runs + scope.updates).counted
      - parked.count { $0.isCounted && $0.attachment.scope.isWithin(scope) }
  }
}

extension [Wait] {
  /// The work that waits for the test in all of its tasks that say what they wait for. What waits in a line does while
  /// anything of the store waits for the test.
  fileprivate var parked: [CurrentWork] {
    var works: [CurrentWork.Identity: (work: CurrentWork, ends: Set<Wait.End>)] = [:]
    for wait in innermost { works[wait.work.identity, default: (wait.work, [])].ends.insert(wait.endsBy) }
    let parked = works.values.filter { !$0.ends.contains(.byItself) && $0.work.goesOnWaiting }
    return parked.contains { $0.ends.contains(.byTest) } ? parked.map(\.work) : []
  }
}

extension CurrentWork {
  /// Whether it is under way or waits for the run before it, and is not about to be cancelled.
  ///
  ///     drain                            | settled()
  ///     stops a run that is parked       |
  ///                                      | counts what is parked: not this run, which is about
  ///                                      | to be resumed
  ///     unlocks, cancels the run's task, |
  ///     which ends its wait              |
  fileprivate var goesOnWaiting: Bool {
    guard case .run(let run) = self else { return isUnderWay }
    return !run.isStopping && (run.phase == .decided || isUnderWay)
  }
}

/// Counts the jobs of the tasks of a test's store: while one executes or is to be executed, the store is at work.
///
/// So a task that is about to go on differs from one that waits, however many tasks a run has made: a task that is
/// resumed has a job before the call that resumes it returns.
protocol JobCounter: Sendable {
  var isIdle: Bool { get }
  func begin<Value>(_ priority: TaskPriority?, _ body: @escaping TaskBody<Value>) -> Task<Value, Never>
}

/// The type of a task's operation. Generic as that is: any other is converted, which costs each task a frame.
typealias TaskBody<Value> = @isolated(any) @Sendable () async -> Value

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class CountingExecutor: TaskExecutor, JobCounter {
  private nonisolated(unsafe) weak var engine: Engine?  // set once; weak, since the engine keeps this
  private let jobs = Lock(0)

  init(_ engine: Engine) { self.engine = engine }

  var isIdle: Bool { jobs.withLock { $0 == 0 } }

  func begin<Value>(_ priority: TaskPriority?, _ body: @escaping TaskBody<Value>) -> Task<Value, Never> {
    Task.detached(executorPreference: self, priority: priority, operation: body)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0 += 1 }
    DispatchQueue.global().async { [self] in
      job.runSynchronously(on: asUnownedTaskExecutor())
      jobs.withLock { $0 -= 1 }
      if isIdle { engine?.locked {} }
    }
  }
}

extension Engine {
  func makeJobCounter() -> (any JobCounter)? {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return nil }
    return CountingExecutor(self)
  }

  /// Begins a task of the store's own.
  func begin<Value>(_ priority: TaskPriority?, _ body: @escaping TaskBody<Value>) -> Task<Value, Never> {
    counter?.begin(priority, body) ?? Task.detached(priority: priority, operation: body)
  }
}
