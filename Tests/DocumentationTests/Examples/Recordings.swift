import Millrace
import MillraceTrace
import Testing

/// Has names of its own for what other examples call so, too.
private enum Recordings {
  struct Password: Sendable {
    let text: String
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

  static func ask(_ recording: TraceRecording) async throws {
    let questions = try await recording.questions()
    print(questions.whyNot("swift"))
  }

  static func compare() throws {
    let replay = try Replay(of: "trace.jsonl", reduce: Search.reduce) { Search.connect($0, client: .unused) }
    #expect(replay.verdict().isSame)
    try replay.fill(to: "filled.jsonl")
  }
}
