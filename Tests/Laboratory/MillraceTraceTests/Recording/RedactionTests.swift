import Foundation
import Millrace
import MillraceTrace
import TestSupport
import Testing

@Suite("What is redacted is nowhere")
struct RedactionTests {
  static let secret = "hunter2"

  struct Password: Codable, Hashable, Sendable, CustomStringConvertible {
    var text: String
    var description: String { text }
  }

  struct Login: Hashable, Sendable {
    var password: Password
  }

  struct State: Codable, Hashable, Sendable {
    var wanted: Set<Password> = []
    var tokens: [String: String] = [:]
    var held: [Password?] = []
  }

  enum Action: Codable, Sendable {
    case signIn(Password)
    case token(String)
    case failed
  }

  struct Failed: Error {
    let password: Password
  }

  static func record(_ rules: [Redaction]) async throws -> String {
    let memory = TraceMemory()
    let store = Store(initialState: State()) { (state: inout State, action: Action) in
      switch action {
      case .signIn(let password):
        state.wanted.insert(password)
        state.held.append(password)
        state.tokens[password.text] = password.text
      case .token(let token): state.tokens[token] = token
      case .failed: break
      }
    }
    let recording = try store.record(to: .memory(memory), redacting: rules, snapshotEvery: 1)
    let logins = { @Sendable (state: State) in Set(state.wanted.map(Login.init)) }
    let failure = { @Sendable (_: Failed, _: Login) in Action.failed }
    let action = { @Sendable (action: Action) in action }
    store.connect(
      when: logins, action: action, failure: failure, named: "login of \(secret)"
    ) { login, send throws(Failed) in
      await withWaitReason("the answer to \(secret)") {}
      throw Failed(password: login.password)
    }
    await store.send(.signIn(Password(text: secret)))
    await store.send(.token("https://host/?token=\(secret)"))
    await store.settled()
    recording.note("a note of \(secret)")
    try await recording.finish()
    return String(decoding: memory.bytes, as: UTF8.self)
  }

  @Test("a closure redacts every text")
  func text() async throws {
    let text = try await Self.record([.text(named: "secrets") { $0.replacing(Self.secret, with: "•") }])
    #expect(!text.contains(Self.secret))
    #expect(text.contains("login of •"))
    #expect(text.contains("the answer to •"))
    #expect(text.contains("a note of •"))
    #expect(text.contains("https://host/?token=•"))
    #expect(text.contains("\"redactions\":[\"secrets\"]"))
  }

  @Test("types and key paths redact within actions, states, requests and errors")
  func types() async throws {
    let rest: Redaction = .text(named: "rest") {
      $0.contains("of ") || $0.contains("to ") || $0.contains("host") || $0 == Self.secret ? "-" : $0
    }
    for rule in [Redaction.type(Password.self), .keyPath(\Password.text, named: "password", with: "•")] {
      let text = try await Self.record([rule, rest])
      #expect(!text.contains(Self.secret))
      #expect(text.contains("Login(password:"))
      #expect(text.contains("Failed(password:"))
    }
  }

  @Test(
    "a report of the store, which spells requests, is recorded as its kind and place where values are redacted"
  )
  func diagnostics() async throws {
    struct Clashing: EffectComponent {
      func id(of login: Login) -> Int { 0 }
      func requests(in state: State) -> Set<Login> { Set(state.wanted.map(Login.init)) }
      func run(_ login: Login, send: Send<Action>) async {}
    }
    for rule in [
      Redaction.type(Password.self), .text(named: "secrets") { $0.replacing(Self.secret, with: "•") },
    ] {
      let memory = TraceMemory()
      let options = StoreOptions(diagnostics: StoreDiagnostics { _ in })
      let store = Store(initialState: State(), options: options) { (state: inout State, action: Action) in
        if case .signIn(let password) = action {
          state.wanted = [password, Password(text: "\(password.text) 2")]
        }
      }
      let recording = try store.record(to: .memory(memory), redacting: [rule])
      store.connect(Clashing())
      await store.send(.signIn(Password(text: Self.secret)))
      await store.settled()
      // The report is made after the turn.
      try await eventually { String(decoding: memory.bytes, as: UTF8.self).contains("diagnostic") }
      try await recording.flush()
      let text = String(decoding: memory.bytes, as: UTF8.self)
      #expect(!text.contains(Self.secret))
    }
  }

  @Test("a rule leaves optional values of other types as they are")
  func optionals() async throws {
    let memory = TraceMemory()
    let store = Store(initialState: [1, nil] as [Int?]) { (_: inout [Int?], _: Int) in }
    let rule = Redaction.keyPath(\Password.text, named: "passwords", with: "")
    try await store.record(to: .memory(memory), redacting: [rule]).finish()
    #expect(String(decoding: memory.bytes, as: UTF8.self).contains(#""p":[1,null]"#))
  }
}
