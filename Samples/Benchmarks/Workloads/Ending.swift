import Dispatch
import Millrace

/// Ends very many sleeping runs at once. Measures the cost of each, compared with a task that sleeps and is cancelled.
enum Ending {
  static let tasks = "baseline/cancelled-tasks"

  static let cases = [
    BenchmarkCase(name: tasks, unit: "ns/task") { effort in try await cancelledTasks(effort.count(40_000)) },
    BenchmarkCase(name: "ending/shutdown-of-rows", unit: "ns/run", baseline: [tasks]) { effort in
      try await shutdown(of: effort.count(40_000), hard: nil)
    },
    BenchmarkCase(name: "ending/hard-deadline", unit: "ms") { effort in
      let count = effort.count(40_000)
      return try await shutdown(of: count, hard: .milliseconds(300)) * Double(count) / 1_000_000
    },
  ]

  private struct Row: Identifiable, Hashable, Sendable { let id: Int }

  private struct Rows: Equatable, Sendable { var rows = KeyedArray<Row>() }

  /// Counts the bodies that have begun to sleep.
  private actor Sleepers {
    private var (count, awaited) = (0, 0)
    private var waiter: CheckedContinuation<Void, Never>?

    func begin() {
      count += 1
      if count == awaited { waiter.take()?.resume() }
    }

    func all(_ awaited: Int) async {
      self.awaited = awaited
      if count < awaited { await withCheckedContinuation { waiter = $0 } }
    }
  }

  private static func sleep(_ sleepers: Sleepers) async {
    await sleepers.begin()
    try? await Task.sleep(for: .seconds(3_600))
  }

  private static func cancelledTasks(_ count: Int) async throws -> Double {
    let sleepers = Sleepers()
    let tasks = (0..<count).map { _ in Task { await sleep(sleepers) } }
    await sleepers.all(count)
    let watch = Stopwatch()
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    return watch.nanoseconds(per: count)
  }

  private static func shutdown(of count: Int, hard: Duration?) async throws -> Double {
    let sleepers = Sleepers()
    let store = Store(initialState: Rows()) { (rows: inout Rows, count: Int) in
      rows.rows = KeyedArray(uniqueElements: (0..<count).map { Row(id: $0) })
    }
    let unchanged = { @Sendable (_: Int, count: Int) in count }
    store.connectEach(\.rows, action: unchanged) { _, row in
      row.connect(when: { Optional($0) }) { _, _ in await sleep(sleepers) }
    }
    store.dispatch(count)
    await sleepers.all(count)
    let watch = Stopwatch()
    let report = await store.shutdown(graceful: .zero, hard: hard)
    let cost = watch.nanoseconds(per: count)
    try expect("runs left without a deadline", hard == nil ? report.unfinished.count : 0, is: 0)
    return cost
  }
}
