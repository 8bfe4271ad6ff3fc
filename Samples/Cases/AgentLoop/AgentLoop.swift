import Foundation
import Millrace
import MillraceStorage
import MillraceTesting
import MillraceTrace

/// An agent that thinks, uses tools and thinks again, within a budget. Tools that can do harm wait for a person.
/// Everything is in the state, so that a program that was killed continues where it was, and a ledger knows which call
/// was begun, so that no tool is used twice.
nonisolated enum AgentLoop {
  struct Call: Hashable, Codable, Sendable {
    var tool: String
    var argument: String
    /// The number of calls up to this one.
    var number = 0
    var isHarmless: Bool { tool != "delete" }
  }

  enum Thought: Hashable, Codable, Sendable {
    case call(Call)
    case answer(String)
  }

  struct State: Equatable, Codable, Sendable {
    /// The conversation and the findings so far, which are the whole input of the model.
    var transcript: [String] = []
    var budget = 0
    var calls = 0
    var call: Call?
    var isApproved = false
    var outcome: String?

    var thinking: [String]? { outcome == nil && call == nil && !transcript.isEmpty ? transcript : nil }
    var calling: Call? { call.flatMap { $0.isHarmless || isApproved ? $0 : nil } }
    var question: String? { call.flatMap { calling == nil ? "\($0.tool) \($0.argument)?" : nil } }
  }

  enum Action: Codable, Equatable, Sendable {
    case asked(String, budget: Int)
    case thought(Thought)
    case used(Call, String)
    case ledger(OnceEvent<Call>)
    case decided(Call, isApproved: Bool)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    func went(on call: Call, _ result: String) {
      state.transcript.append("\(call.tool) \(call.argument): \(result)")
      (state.call, state.isApproved) = (nil, false)
    }
    switch action {
    case .asked(let goal, let budget): state = State(transcript: [goal], budget: budget, calls: state.calls)
    case .thought(.answer(let text)): state.outcome = text
    case .thought(.call) where state.budget == 0: state.outcome = "the budget is used up"
    case .thought(.call(var call)):
      (state.budget, state.calls) = (state.budget - 1, state.calls + 1)
      call.number = state.calls
      state.call = call
    case .used(let call, let result): went(on: call, result)
    // Whether the tool has done it is for the model to find out, or for a person.
    case .ledger(.interrupted(let call, _)), .ledger(.ended(let call, _)): went(on: call, "perhaps done")
    case .ledger: break  // nothing was begun: it is asked for at the next start
    case .decided(let call, let isApproved):
      guard state.call == call, state.calling == nil else { return }
      if isApproved { state.isApproved = true } else { went(on: call, "refused") }
    }
  }

  static func connect(
    to store: Store<State, Action>, ledger: Ledger<Call>,
    think: @escaping @Sendable ([String]) async -> Thought, use: @escaping @Sendable (Call) async -> String
  ) {
    let tools = Effect { (call: Call, send: Send<Action>) in await send(.used(call, await use(call))) }
      .once(in: ledger, key: { "call \($0.number)" }, attempt: { _ in 1 }, event: Action.ledger)
    store.connect(when: \.thinking, named: "model") { await $1(.thought(await think($0))) }
    store.connect(tools, when: \.calling, named: "tools")
  }
}

nonisolated extension Case {
  static let agentLoop = Case(
    name: "agent", symptom: "an agent goes on spending after a mistake, and asks nobody before it deletes"
  ) { say in
    // A script instead of a model, which would go on for ever.
    let think = { @Sendable (transcript: [String]) -> AgentLoop.Thought in
      .call(.init(tool: transcript.count == 2 ? "delete" : "search", argument: "old.log"))
    }
    let path = FileManager.default.temporaryDirectory.path + "/millrace-agent-\(UUID().uuidString)"
    defer { for suffix in ["", ".lock"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
    let (deleted, gate) = (Recorder<String>(), Gate())
    var state = AgentLoop.State()
    func life(_ tell: (Store<AgentLoop.State, AgentLoop.Action>) async throws -> Void) async throws {
      let ledger = Ledger<AgentLoop.Call>(at: path)
      let store = Store(initialState: state, on: .immediate, reduce: AgentLoop.reduce)
      try store.recordIfAsked()
      AgentLoop.connect(to: store, ledger: ledger, think: think) { call in
        if call.isHarmless { return "it is there" }
        deleted.append(call.argument)
        try? await gate.wait()
        return "done"
      }
      if state.transcript.isEmpty { store.dispatch(.asked("tidy up", budget: 2)) }
      await store.settled()
      try await tell(store)
      state = try JSONDecoder().decode(AgentLoop.State.self, from: JSONEncoder().encode(store.state))
      await store.shutdown()
      await ledger.close()
    }
    try await life { say("it asks: \($0.state.question ?? "")") }
    try await life { store in
      say("killed and begun again, it asks: \(store.state.question ?? "")")
      if let call = store.state.call { store.dispatch(.decided(call, isApproved: true)) }
      try await gate.waiters(atLeast: 1)
    }
    try await life { store in
      say("killed while it deletes: \(store.state.transcript.last ?? ""), of \(deleted.values)")
      say("it would go on for ever: \(store.state.outcome ?? "")")
    }
  }
}
