import Millrace
import MillraceStorage
import MillraceTrace
import TestSupport
import Testing

@Suite("Files of earlier versions")
struct KeptFileExamples {
  struct Notes: Codable, Equatable { var titles: [String] = [] }

  struct Lookup: Codable, Hashable {
    var title: String
  }

  struct Shopping: Codable, Equatable {
    var titles: [String] = []
    var prices: [String: Int] = [:]

    init(restoring stored: StoredValue<Notes> = StoredValue()) { titles = stored.value?.titles ?? [] }
  }

  enum Action: Codable, Sendable {
    case wanted(String)
    case priced(String, Int)
  }

  static func reduce(_ state: inout Shopping, _ action: Action) {
    switch action {
    case .wanted(let title): state.titles.append(title)
    case .priced(let title, let price): state.prices[title] = price
    }
  }

  struct LookupEffect: EffectComponent {
    func requests(in state: Shopping) -> Set<Lookup> {
      Set(state.titles.filter { state.prices[$0] == nil }.map { Lookup(title: $0) })
    }
    func run(_ lookup: Lookup, send: Send<Action>) async { await send(.priced(lookup.title, 1)) }
  }

  static func connect(_ store: Store<Shopping, Action>) { store.connect(LookupEffect()) }

  @Test("a file and a recording")
  func kept() async throws {
    let folder = try TemporaryFolder()
    let (path, recorded) = (folder.file("notes"), folder.file("trace.jsonl"))
    let old = FileStorage<Notes>(at: path)
    try await old.save(Notes(titles: ["milk"]), generation: 1)
    await old.close()
    let store = Store(initialState: Shopping(), reduce: Self.reduce)
    let recording = try store.record(to: .file(recorded))
    Self.connect(store)
    await store.send(.wanted("milk"))
    await store.settled()
    try await recording.finish()

    // Testing
    let storage = FileStorage<Notes>(at: path)
    try await storage.verify(LookupEffect(), asksFor: [Lookup(title: "milk")]) { Shopping(restoring: $0) }
    // Testing
    #expect(try Replay(of: recorded, reduce: Self.reduce, connect: Self.connect).verdict().isSame)
    #expect(folder.names == ["notes", "notes.lock", "trace.jsonl"])
  }
}
