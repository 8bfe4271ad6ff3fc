import Millrace
import MillraceFaults
import MillraceTestStore
import MillraceTesting
import Testing

/// A mirror that lists a shelf each time that it starts, and fetches what it lacks.
enum Shelf {
  struct State: Equatable, Sendable {
    var start = 1
    var names: [String]?
    var texts: [String: String] = [:]

    var listing: List? { names == nil ? List(start: start) : nil }
    var missing: Set<Fetch> { Set((names ?? []).filter { texts[$0] == nil }.prefix(1).map(Fetch.init)) }
  }

  struct List: Hashable, Sendable { var start: Int }
  struct Fetch: Hashable, Sendable { var name: String }

  enum Action: Equatable, Sendable {
    case listed([String])
    case fetched(String, String)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .listed(let names): state.names = names
    case .fetched(let name, let text): state.texts[name] = text
    }
  }

  static func connect(to store: Store<State, Action>) {
    store.connect(when: \.listing, named: "list") { _, _ in }
    store.connect(when: \.missing, named: "fetch") { _, _ in }
  }
}

@Suite struct ShelfExamples {
  private let crashes = CrashAnywhere(
    initialState: Shelf.State(), reduce: Shelf.reduce,
    persisting: { Shelf.State(start: $0.start + 1, texts: $0.texts) }, connect: Shelf.connect
  )
  .comparing(\.texts)

  @Test("a test that answers whatever is asked for reaches the end after every crash")
  func loop() async {
    let report = await crashes.run { store in
      // TestingFaults, a start that asks again
      store.exhaustivity = .requests
      while let request = store.running.first?.base {
        switch request {
        case let list as Shelf.List: store.answer(list, with: .listed(["a", "b"]))
        case let fetch as Shelf.Fetch: store.answer(fetch, with: .fetched(fetch.name, "text"))
        default: return await store.finish()
        }
      }
      await store.finish()
    }
    #expect(report.isClean, "\(report)")
  }

  @Test("a straight test does not, and the report names the request that it left in progress")
  func straight() async {
    let report = await crashes.run { store in
      store.exhaustivity = .requests
      store.answer(Shelf.List(start: 1), with: .listed(["a"]))
      store.answer(Shelf.Fetch(name: "a"), with: .fetched("a", "text"))
      await store.finish()
    }
    #expect(
      report.endings.map(\.text) == [
        "  [\"a\"]: missing \"text\"", "  left in progress: list List(start: 2)",
      ])
  }
}
