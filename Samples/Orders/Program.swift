import Foundation
import Millrace
import MillraceStorage
import MillraceTrace

/// One process of the program: a feature with an engine.
struct Program {
  let invocation: Invocation

  /// Serves until its input ends.
  func run() async throws {
    try await serve(Self.engine(invocation.engine))
  }

  /// Makes an engine. Tries for a minute, since a restarting server is not available at once.
  static func engine(_ address: String) async throws -> any Engine {
    let parts = address.split(separator: ":", maxSplits: 1).map(String.init)
    let rest = parts.count > 1 ? parts[1] : ""
    for attempt in 1... {
      do {
        switch parts[0] {
        case "folder": return try FolderEngine(rest)
        case "redis":
          guard let port = UInt16(rest) else { throw Invocation.Unusable(problem: "'\(rest)' is no port") }
          return try await RedisEngine(port: port)
        case "postgres": return try await PostgresEngine(rest)
        default: throw Invocation.Unusable(problem: "'\(address)' is no engine")
        }
      } catch let failure where !(failure is Invocation.Unusable) && attempt < 600 {
        try await Task.sleep(for: .milliseconds(100))
      }
    }
    throw Invocation.Unusable(problem: "'\(address)' is no engine")
  }

  private func serve(_ engine: some Engine) async throws {
    switch invocation.command {
    case .shop:
      let storage = Shop.Book.Storage(at: "\(invocation.home)/shop")
      let state = Shop.State(goal: invocation.orders, atOnce: invocation.atOnce, customers: 40)
      let store = Store(initialState: state, reduce: Shop.reduce)
      try store.recordIfAsked()
      Shop.connect(to: store, storage: storage, engine: engine)
      await untilInputEnds()
      await store.shutdown()
    case .worker:
      let store = Store(initialState: Worker.State(hands: [1, 2]), reduce: Worker.reduce)
      try store.recordIfAsked()
      Worker.connect(to: store, engine: engine, name: invocation.name, lease: .milliseconds(1500))
      await untilInputEnds()
      await store.shutdown()
    case .warehouse:
      let storage = FileStorage<Warehouse.Book>(at: "\(invocation.home)/warehouse")
      let book = Saving(try await storage.load(), or: Warehouse.Book())
      let store = Store(initialState: book, reduce: Warehouse.reduce)
      try store.recordIfAsked()
      Warehouse.connect(to: store, storage: storage, engine: engine)
      let goal = invocation.orders
      Task {
        var reported = 0
        for await aside in store.values(of: \.value.aside) {
          for text in aside.dropFirst(reported) { say("set aside: \(text)") }
          reported = aside.count
        }
      }
      Task {
        let done = await store.first { ($0.stored?.total ?? 0) >= goal || !$0.value.violations.isEmpty }
        guard let book = done?.value else { return }
        for violation in book.violations { say(violation) }
        say("booked \(book.total) repeats \(book.repeats) violations \(book.violations.count)")
      }
      await untilInputEnds()
      await store.shutdown()
    case .trial, .bare, .work: break
    }
  }

  private func untilInputEnds() async {
    await withCheckedContinuation { continuation in
      Thread {
        while readLine() != nil {}
        continuation.resume()
      }.start()
    }
  }
}

/// Writes a line at once.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
