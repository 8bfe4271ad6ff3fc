import Millrace

/// An executor whose tasks run when a test says so, one at a time, on the thread of the test: after `drain()` every
/// one of them has ended or waits for something that only the test can bring about.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class ManualExecutor: TaskExecutor {
  private struct Queue {
    var jobs: [UnownedJob] = []
    var next = 0
  }

  private let queue = Lock(Queue())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.withLock { $0.jobs.append(job) }
  }

  func drain() {
    while let job = nextJob() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func nextJob() -> UnownedJob? {
    queue.withLock { queue in
      guard queue.next < queue.jobs.count else {
        queue = Queue()
        return nil
      }
      defer { queue.next += 1 }
      return queue.jobs[queue.next]
    }
  }
}
