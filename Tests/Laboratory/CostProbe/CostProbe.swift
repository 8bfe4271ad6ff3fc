import Foundation
import Millrace
import MillraceTrace

/// Does one thing a number of times: what `.ci/costs` counts allocations and instructions of, as a difference of two
/// numbers. What one thing has begun has ended before the next begins, so that the counts repeat.
@main enum CostProbe {
  // Not async: a main thread that serves Dispatch ends in a way that crashes valgrind.
  static func main() {
    let words = CommandLine.arguments
    guard words.count == 3, let work = works[words[1]], let count = Int(words[2]) else {
      print("usage: costprobe \(works.keys.sorted().joined(separator: "|")) COUNT")
      exit(2)
    }
    Task.detached {
      do {
        try await work(count)
        exit(0)
      } catch {
        print("\(error)")
        exit(1)
      }
    }
    while true { RunLoop.main.run(until: .distantFuture) }
  }

  private static let works: [String: @Sendable (Int) async throws -> Void] = [
    "action": { count in
      let store = Store(initialState: Tally(), reduce: Tally.reduce)
      for _ in 0..<count { store.dispatch(.added) }
      await store.settled()
    },
    "scope": { count in
      let store = Store(initialState: Tally(), reduce: Tally.reduce)
      let scope = store.scope(\.count, action: { (number: Int) in Tally.Action.counted(number) })
      for number in 0..<count { scope.dispatch(number) }
      await store.settled()
    },
    "recorded": { count in
      let store = Store(initialState: Tally(), reduce: Tally.reduce)
      let file = NSTemporaryDirectory() + "costprobe-\(getpid()).ring"
      let recording = try store.record(to: .ring(file))
      for _ in 0..<count { store.dispatch(.added) }
      await store.settled()
      try await recording.finish()
      try FileManager.default.removeItem(atPath: file)
    },
    "told": { count in
      let store = Store(initialState: Tally(), reduce: Tally.reduce)
      store.connect(Hearer(), to: \.count)
      for _ in 0..<count {
        store.dispatch(.added)
        await store.settled()
      }
    },
    "connect": { count in
      let store = Store(initialState: Tally(), reduce: Tally.reduce)
      for _ in 0..<count {
        let connection = store.connect(Hearer(), to: \.count)
        await store.settled()
        connection.disconnect()
        await connection.finished()
      }
    },
    "roundtrip": { count in
      let store = Store(initialState: Tally(), reduce: Tally.reduce)
      store.connect(Answerer())
      await store.settled()
      store.dispatch(.asked(count))
      await store.settled()
    },
    "element": { count in
      let store = Store(initialState: Table(), reduce: Table.reduce)
      store.connectEach(\.rows, action: Table.Action.row) { _, row in row.connect(RowEffect()) }
      await store.settled()
      store.dispatch(.added(count))
      await store.settled()
    },
    "store": { count in
      for _ in 0..<count {
        let store = Store(initialState: Tally(), reduce: Tally.reduce)
        store.dispatch(.added)
        await store.settled()
      }
    },
    "unused": { count in
      for _ in 0..<count { _ = Store(initialState: Tally(), reduce: Tally.reduce) }
    },
  ]

  private struct Tally: Codable, Equatable, Sendable {
    var count = 0
    /// Answered one by one, from this number down to 1.
    var asked = 0

    enum Action: Codable, Sendable {
      case added
      case counted(Int)
      case asked(Int)
    }

    static func reduce(_ tally: inout Tally, _ action: Action) {
      switch action {
      case .added: tally.count += 1
      case .counted(let number): tally.count = number
      case .asked(let number): tally.asked = number
      }
    }
  }

  private final class Hearer: Component {
    func update(_ count: Int) async {}
  }

  private struct Answerer: EffectComponent {
    func requests(in tally: Tally) -> Set<Int> { tally.asked > 0 ? [tally.asked] : [] }
    func run(_ request: Int, send: Send<Tally.Action>) async { await send(.asked(request - 1)) }
  }

  private struct Table: Sendable {
    var rows = KeyedArray<Row>()

    enum Action: Sendable {
      case added(Int)
      case row(Int, Row.Action)
    }

    static func reduce(_ table: inout Table, _ action: Action) {
      switch action {
      case .added(let count): for id in 0..<count { table.rows.append(Row(id: id)) }
      case .row(let id, .done): table.rows[id: id]?.job = nil
      }
    }
  }

  private struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var job: Int?

    enum Action: Sendable { case done }
  }

  private struct RowEffect: EffectComponent {
    func requests(in row: Row) -> Set<Int> { row.job.map { [$0] } ?? [] }
    func run(_ job: Int, send: Send<Row.Action>) async { await send(.done) }
  }
}
