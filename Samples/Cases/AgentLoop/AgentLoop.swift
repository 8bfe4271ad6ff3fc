import Foundation
import Millrace
import MillraceTesting
import MillraceTrace

/// An agent that thinks, uses tools and thinks again, within a budget. Tools that can do harm wait for a person.
/// Everything is in the state, so that a program that was killed continues where it was.
nonisolated enum AgentLoop {
  struct Call: Hashable, Codable, Sendable {
    var tool: String
    var argument: String
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
    case decided(Call, isApproved: Bool)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    func went(on line: String) {
      state.transcript.append(line)
      (state.call, state.isApproved) = (nil, false)
    }
    switch action {
    case .asked(let goal, let budget): state = State(transcript: [goal], budget: budget)
    case .thought(.answer(let text)): state.outcome = text
    case .thought(.call) where state.budget == 0: state.outcome = "the budget is used up"
    case .thought(.call(let call)):
      state.budget -= 1
      state.call = call
    case .used(let call, let result): went(on: "\(call.tool) \(call.argument): \(result)")
    case .decided(let call, let isApproved):
      guard state.call == call, state.calling == nil else { return }
      if isApproved { state.isApproved = true } else { went(on: "\(call.tool) \(call.argument): refused") }
    }
  }

  static func connect(
    to store: Store<State, Action>, think: @escaping @Sendable ([String]) async -> Thought,
    use: @escaping @Sendable (Call) async -> String
  ) {
    store.connect(when: \.thinking, named: "model") { await $1(.thought(await think($0))) }
    store.connect(when: \.calling, named: "tools") { call, send in await send(.used(call, await use(call))) }
  }
}

nonisolated extension Case {
  static let agentLoop = Case(
    name: "agent", symptom: "an agent goes on spending after a mistake, and asks nobody before it deletes"
  ) { say in
    // A script instead of a model.
    @Sendable func think(_ transcript: [String]) -> AgentLoop.Thought {
      let last = transcript.last ?? ""
      if transcript[0] == "find the end of it" {
        return .call(.init(tool: "search", argument: "\(transcript.count)"))
      }
      if last.hasPrefix("search") { return .call(.init(tool: "delete", argument: "old.log")) }
      if last.hasPrefix("delete") { return .answer(last) }
      return .call(.init(tool: "search", argument: "logs"))
    }
    func life(_ state: AgentLoop.State) throws -> Store<AgentLoop.State, AgentLoop.Action> {
      let store = Store(initialState: state, on: .immediate, reduce: AgentLoop.reduce)
      try store.recordIfAsked()
      AgentLoop.connect(to: store, think: think) { $0.tool == "search" ? "old.log, new.log" : "done" }
      return store
    }
    var store = try life(AgentLoop.State())
    for isApproved in [false, true] {
      store.dispatch(.asked("tidy up", budget: 5))
      await store.settled()
      say("it asks: \(store.state.question ?? "")")
      let stored = try JSONEncoder().encode(store.state)
      await store.shutdown()
      store = try life(JSONDecoder().decode(AgentLoop.State.self, from: stored))
      await store.settled()
      say("killed and begun again, it asks: \(store.state.question ?? "")")
      if let call = store.state.call { store.dispatch(.decided(call, isApproved: isApproved)) }
      await store.settled()
      say("answered: \(store.state.outcome ?? "")")
    }
    store.dispatch(.asked("find the end of it", budget: 3))
    await store.settled()
    say(
      "without an end: \(store.state.outcome ?? ""), after \(store.state.transcript.count - 1) uses of tools")
  }
}
