import Millrace

/// What most tests are about: jobs that the state asks for, and what came of them.
struct Board: Equatable, Sendable {
  var jobs: Set<Job> = []
  var log: [String] = []
  var count = 0

  enum Action: Hashable, Sendable {
    case ask(Job)
    case drop(String)
    case askOnly(Set<Job>)
    case report(String)
    case add(Int)
    indirect case all([Action])
  }

  static func reduce(_ board: inout Board, _ action: Action) {
    switch action {
    case .ask(let job):
      board.jobs = board.jobs.filter { $0.name != job.name }
      board.jobs.insert(job)
    case .drop(let name): board.jobs = board.jobs.filter { $0.name != name }
    case .askOnly(let jobs): board.jobs = jobs
    case .report(let line): board.log.append(line)
    case .add(let step): board.count += step
    case .all(let actions): for action in actions { reduce(&board, action) }
    }
  }
}

/// A piece of work, told from others by its name alone where an effect says so.
struct Job: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  let name: String
  var value = 0

  init(_ name: String, _ value: Int = 0) {
    self.name = name
    self.value = value
  }

  init(stringLiteral name: String) { self.init(name) }

  var description: String { value == 0 ? name : "\(name)\(value)" }
}

extension Store where State == Board, Action == Board.Action {
  convenience init(on queue: Queue, options: StoreOptions = StoreOptions()) {
    self.init(initialState: Board(), on: queue.queue, options: options, reduce: Board.reduce)
  }
}

typealias BoardStore = Store<Board, Board.Action>

/// Both kinds of queue: what is promised holds on either.
enum Queue: CaseIterable, Sendable {
  case immediate
  case serial

  var queue: ReducerQueue {
    switch self {
    case .immediate: .immediate
    case .serial: .serial()
    }
  }
}
