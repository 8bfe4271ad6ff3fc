import Foundation
import Millrace
import MillraceStorage
import MillraceTrace
import TestSupport
import Testing

/// Has names of its own for what other examples call so, too.
private enum Recordings {
  struct Password: Codable, Hashable, Sendable {
    var text = ""
  }

  struct Session: Sendable {
    var token: String
  }

  struct SearchClient: Sendable {
    static let unused = SearchClient()
  }

  enum Search {
    struct State: Codable, Hashable, Sendable {
      var query = ""
    }
    enum Action: Codable, Sendable {
      case queryChanged(String)
    }
    static func reduce(_ state: inout State, _ action: Action) {
      switch action {
      case .queryChanged(let query): state.query = query
      }
    }
    static func connect(_ store: Store<State, Action>, client: SearchClient) {}
  }

  static func redactions() -> [Redaction] {
    let redactions: [Redaction] = [
      .type(Password.self),
      .keyPath(\Session.token, named: "token", with: "removed"),
      .text(named: "bearer tokens") { $0.hasPrefix("Bearer ") ? "Bearer removed" : $0 },
    ]
    return redactions
  }

  static func begin(_ store: Store<Search.State, Search.Action>) throws {
    let recording = try store.record(to: .file("trace.jsonl"), redacting: [.type(Password.self)])
    _ = recording
    try store.recordIfAsked()
  }

  // WhyDidThisHappen, a secret
  static func keepSecret(_ store: Store<Search.State, Search.Action>) throws {
    let password = Redaction.keyPath(\Password.text, named: "passwords", with: "removed-01")
    let recording = try store.record(to: .file("trace.jsonl"), redacting: [password])
    _ = recording
  }

  static func ask(_ recording: TraceRecording) async throws {
    let questions = try await recording.questions()
    print(questions.whyNot("swift"))
  }

  static func keepTrouble(_ store: Store<Search.State, Search.Action>) async throws {
    let recording = try store.record(to: .ring("trace.ring"))
    recording.writeOut(to: "trouble.jsonl", on: [.failure, .diagnostic, .uncleanShutdown, .signal(SIGUSR1)])
  }

  struct SearchRequest: Hashable, Sendable {
    let query: String
  }

  static func askNow(_ store: Store<Search.State, Search.Action>) {
    print(store.whyNot(SearchRequest(query: "swift")))
    // SearchRequest(query: "swift") is not being served
    //   SearchEffect on \App.search at App/Main.swift:12 does not ask for it
    //   it asks for SearchRequest(query: "swif")
  }

  static func lastState() {
    let state = try? Replay(of: "trace.jsonl", reduce: Search.reduce).lastState()
    _ = state
  }

  static func makeStore(continuing path: String) throws -> Store<Search.State, Search.Action> {
    // Read before it is recorded anew, which replaces the file.
    let last = try? Replay(of: path, reduce: Search.reduce).lastState()
    let store = Store(initialState: last ?? Search.State(), reduce: Search.reduce)
    try store.record(to: .file(path))
    Search.connect(store, client: SearchClient())
    return store
  }

  static func everyRecording(in folder: String) throws {
    for path in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let replay = try Replay(of: "\(folder)/\(path)", reduce: Search.reduce) {
        Search.connect($0, client: .unused)
      }
      let verdict = replay.verdict()
      #expect(verdict.isSame, "\(path): \(verdict)")
    }
  }

  static func compare() throws {
    let replay = try Replay(of: "trace.jsonl", reduce: Search.reduce) { Search.connect($0, client: .unused) }
    #expect(replay.verdict().isSame)
    try replay.fill(to: "filled.jsonl")
  }
}

@Suite("Restoring after a restart")
struct RestoringTests {
  @Test("a program goes on with the state that it had when it was killed, reduced by today's reducer")
  func restarts() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("trace.jsonl")
    for (number, query) in ["swift", "swiss", "sweet"].enumerated() {
      let store = try Recordings.makeStore(continuing: path)
      #expect(store.state.query == ["", "swift", "swiss"][number])
      for length in 1...query.count { await store.send(.queryChanged(String(query.prefix(length)))) }
      await store.settled()  // it is recorded
    }
  }
}

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
