import Millrace
import MillraceStorage

/// What the tests have done while system calls fail: a few operations, and a line for each about what it came to.
///
/// An operation that has failed is not repeated; the next one follows.
enum Faults {
  static func run(_ operation: String, at path: String) async {
    switch operation {
    case "save": await save(FileStorage<[Int]>(at: path))
    case "append": await append(JournalStorage<String, String>(at: path), times: 4)
    case "compact": await compact(JournalStorage<String, String>(at: path))
    case "work": await work(Ledger<Int>(at: path, format: .json(), remembering: 100))
    default: say("unknown operation")
    }
  }

  /// What an append with a number makes of a journal.
  static func changes(_ number: Int) -> [String: JournalChange<String>] {
    let long = String(repeating: "\(number) ", count: 400)
    return ["a\(number)": .set(long), "b\(number)": .set(long), "last": .set("\(number)"), "old": .removed]
  }

  /// The value that is saved as a generation.
  static func value(_ generation: UInt64) -> [Int] { Array(repeating: Int(generation), count: 200) }

  private static func save(_ storage: FileStorage<[Int]>) async {
    guard let stored = await tell("load", { () throws(StorageFailure) in try await storage.load() }) else {
      return
    }
    for generation in stored.generation + 1...stored.generation + 3 {
      await tell("save \(generation)") { () throws(StorageFailure) in
        try await storage.save(value(generation), generation: generation)
      }
    }
  }

  private static func append(_ storage: JournalStorage<String, String>, times: Int) async {
    guard await tell("load", { () throws(StorageFailure) in try await storage.load() }) != nil else { return }
    for number in 1...times {
      await tell("append \(number)") { () throws(StorageFailure) in
        try await storage.append(changes(number))
      }
    }
  }

  private static func compact(_ storage: JournalStorage<String, String>) async {
    guard await tell("load", { () throws(StorageFailure) in try await storage.load() }) != nil else { return }
    for number in 1...2 {
      await tell("compact") { () throws(StorageFailure) in try await storage.compact() }
      await tell("append \(number)") { () throws(StorageFailure) in
        try await storage.append(changes(number))
      }
    }
  }

  @discardableResult
  private static func tell<Result>(
    _ name: String, _ body: () async throws(StorageFailure) -> Result
  ) async -> Result? {
    do throws(StorageFailure) {
      let result = try await body()
      say("done \(name)")
      return result
    } catch {
      say("failed \(name): \(error)")
      return nil
    }
  }

  // MARK: Work

  private struct WorkEffect: EffectComponent {
    func requests(in number: Int?) -> Set<Int> { number.map { [$0] } ?? [] }

    func run(_ number: Int, send: Send<WorkAction>) async {
      say("done begin \(number)")
      await send(.done(number))
    }
  }

  private enum WorkAction: Sendable {
    case asked(Int)
    case done(Int)
    case once(OnceEvent<Int>)
  }

  /// One piece of work after the other.
  private static func work(_ ledger: Ledger<Int>) async {
    let store = Store(initialState: Int?.none) { (state: inout Int?, action: WorkAction) in
      switch action {
      case .asked(let number): state = number
      case .done: break  // it goes on being asked for, so that an end that cannot be written is told
      case .once(let event): say("failed \(event)")
      }
    }
    store.connect(
      WorkEffect().once(in: ledger, key: { "\($0)" }, attempt: { _ in 1 }, event: WorkAction.once),
      to: \.self)
    for number in 1...4 {
      store.dispatch(.asked(number))
      await store.settled()
      say("settled \(number)")
    }
  }
}
