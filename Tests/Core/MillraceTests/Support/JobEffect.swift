import Millrace
import MillraceTesting

/// Serves the jobs of a board. A job is its own identity: with another value it is another.
struct JobEffect<Failure: Error>: EffectComponent {
  let body: @Sendable (Job, Send<Board.Action>) async throws(Failure) -> Void

  init(
    throwing failure: Failure.Type,
    _ body: @escaping @Sendable (Job, Send<Board.Action>) async throws(Failure) -> Void
  ) {
    self.body = body
  }

  init(_ body: @escaping @Sendable (Job, Send<Board.Action>) async -> Void) where Failure == Never {
    self.body = body
  }

  func requests(in board: Board) -> Set<Job> { board.jobs }

  func run(_ job: Job, send: Send<Board.Action>) async throws(Failure) { try await body(job, send) }

  func action(for failure: Failure, of job: Job) -> Board.Action { .report("\(job) failed: \(failure)") }
}

extension JobEffect where Failure == Never {
  /// Its bodies wait for the gate, whether they are cancelled or not.
  static func stubborn(until gate: Gate, _ began: Recorder<String>, _ ended: Recorder<String>) -> Self {
    JobEffect { job, _ in
      began.append("\(job)")
      await gate.waitIgnoringCancellation()
      ended.append("\(job), cancelled: \(Task.isCancelled)")
    }
  }
}

/// Serves the jobs of a board, one at a time for each name: a changed value restarts the run.
struct NamedJobEffect: EffectComponent {
  let body: @Sendable (Job, Send<Board.Action>) async -> Void

  init(_ body: @escaping @Sendable (Job, Send<Board.Action>) async -> Void) { self.body = body }

  func id(of job: Job) -> String { job.name }
  func requests(in board: Board) -> Set<Job> { board.jobs }
  func run(_ job: Job, send: Send<Board.Action>) async { await body(job, send) }
}

/// Serves the jobs of a board, one at a time for each name: a changed value is handed to the run.
struct FollowingJobEffect: HandoverEffectComponent {
  typealias Action = Board.Action
  let body: @Sendable (RequestUpdates<Job>, Send<Board.Action>) async -> Void

  init(_ body: @escaping @Sendable (RequestUpdates<Job>, Send<Board.Action>) async -> Void) {
    self.body = body
  }

  func id(of job: Job) -> String { job.name }
  func requests(in board: Board) -> Set<Job> { board.jobs }
  func run(following jobs: RequestUpdates<Job>, send: Send<Board.Action>) async { await body(jobs, send) }
}
