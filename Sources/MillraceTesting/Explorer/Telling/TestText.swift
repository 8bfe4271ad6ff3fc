import Millrace

/// A counterexample as a test in Swift, which fails as long as the moves lead to the state that they led to.
struct TestText<State: Sendable, Action: Sendable> {
  private let explorer: Explorer<State, Action>
  private let property: ExploredProperty<State>
  private let steps: [ExploredStep<Action>]
  private let states: [State]
  /// What is in progress at the end.
  private let running: RunningRequests

  init(
    _ explorer: Explorer<State, Action>, _ property: ExploredProperty<State>,
    _ steps: [ExploredStep<Action>], _ states: [State], _ running: RunningRequests
  ) {
    self.explorer = explorer
    self.property = property
    self.steps = steps
    self.states = states
    self.running = running
  }

  var text: String {
    var lines: [String] = []
    var store = "store"
    lines += begin(store, with: states[0])
    for (index, step) in steps.enumerated() {
      if case .restart = step {
        // A store of its own, of the state that the program finds.
        lines.append("await \(store).finish()")
        store = "storeAfter\(index + 1)"
        lines += begin(store, with: states[index + 1])
      } else if let call = call(for: step) {
        lines.append("\(store).\(call)")
      }
    }
    lines += ["// \(property.text) at \(property.site)", "#expect(\(expectation(of: store)))"]
    lines.append("await \(store).finish()")
    let body = lines.map { "  \($0)" }.joined(separator: "\n")
    return "@Test func \(Self.name(of: property.name))() async {\n\(body)\n}"
  }

  // MARK: The store

  private func begin(_ name: String, with state: State) -> [String] {
    let value = SourceText.value(state)
    let source: String
    if let given = explorer.storeSource {
      source = given.replacing("$state", with: value)
    } else {
      source = """
        TestStore(
            initialState: \(value),
            reduce: \(feature("reduce")), connect: { \(feature("connect"))(to: $0) })
        """
    }
    return ["let \(name) = \(source)", "\(name).exhaustivity = .none"]
  }

  /// A function of the type in which the state is declared; a placeholder where the state is declared in none.
  private func feature(_ function: String) -> String {
    let path = Spelling.name(of: State.self).split(separator: ".")
    if path.count < 2 { return "<#\(function)#>" }
    return (path.dropLast() + [Substring(function)]).joined(separator: ".")
  }

  // MARK: Steps

  private func call(for step: ExploredStep<Action>) -> String? {
    switch step {
    case .action(let action), .component(_, let action):
      return "send(\(SourceText.value(action, as: Action.self)))"
    case .restart, .time: return nil
    case .outcome(let outcome):
      let request = SourceText.value(outcome.request)
      let part = outcome.parts.last.map { ", in: \(SourceText.value($0.base))" } ?? ""
      let actions = outcome.actions.map { SourceText.value($0, as: Action.self) }.joined(separator: ", ")
      if let failure = outcome.failure, !outcome.goesOn {
        return "fail(\(request)\(part), with: \(SourceText.value(failure)))"
      }
      // A request that begins to be served late: the test store serves each at once.
      if outcome.goesOn, actions.isEmpty { return nil }
      if outcome.goesOn { return "send(\(actions), from: \(request)\(part))" }
      return "answer(\(request)\(part)\(actions.isEmpty ? "" : ", with: \(actions)"))"
    }
  }

  private func expectation(of store: String) -> String {
    let last = states[states.count - 1]
    let found = explorer.partSource.map { "\($0)(\(store).state)" } ?? "\(store).state"
    let part = explorer.partSource == nil ? nil : explorer.identity.source?(last)
    let value = part ?? SourceText.value(last)
    guard property.looksAtRuns else { return "\(found) != \(value)" }
    let requests = running.all.map { "AnyHashable(\(SourceText.value($0)))" }.joined(separator: ", ")
    let runs = running.isEmpty ? "\(store).running.isEmpty" : "Set(\(store).running) == [\(requests)]"
    return "!(\(found) == \(value) && \(runs))"
  }

  /// A name of a function made of the words of a property's name.
  private static func name(of property: String) -> String {
    let words = property.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    let first = words.first?.lowercased() ?? "property"
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let start = first.first?.isNumber == true ? "test\(first)" : first
    return rest.isEmpty ? "\(start)Holds" : start + rest.joined()
  }
}
