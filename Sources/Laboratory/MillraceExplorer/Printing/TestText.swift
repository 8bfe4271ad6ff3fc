import MillraceSpelling
import MillraceTesting

/// Prints a counterexample as a test in Swift. The test fails as long as the moves lead to the same state.
struct TestText<State: Sendable, Action: Sendable> {
  let explorer: Explorer<State, Action>
  let property: ExploredProperty<State>
  let steps: [ExploredStep<Action>]
  let states: [State]
  /// The requests in progress in each of the states.
  let running: [RunningRequests]
  /// Whether actions of closures still wait after the last step.
  let isBetween: Bool

  /// The step after whose first action the test checks the state.
  private var checkedStep: Int? { isBetween && !steps.isEmpty ? steps.count - 1 : nil }

  var text: String {
    var lines: [String] = []
    var store = "store"
    lines += begin(store, with: states[0])
    if checkedStep != nil { lines += holds(in: store).source + ["var isFulfilled = true"] }
    for (index, step) in steps.enumerated() {
      if case .restart = step {
        // A new store with the state that the program finds.
        lines.append("await \(store).finish()")
        store = "storeAfter\(index + 1)"
        lines += begin(store, with: states[index + 1])
      } else {
        lines += self.lines(of: step, in: store, at: index)
      }
    }
    lines.append("// \(property.text) at \(property.site)")
    let holds = holds(in: store)
    lines += checkedStep == nil ? holds.source + ["#expect(\(holds.condition))"] : ["#expect(isFulfilled)"]
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

  /// A function of the type in which the state is declared; a placeholder if the state is declared at file level.
  private func feature(_ function: String) -> String {
    let type = Spelling.source(of: State.self)
    var depth = 0  // dots in the arguments of a generic type separate nothing
    let dot = type.lastIndex { character in
      if ">])".contains(character) { depth += 1 }
      if "<[(".contains(character) { depth -= 1 }
      return character == "." && depth == 0
    }
    return dot.map { "\(type[...$0])\(function)" } ?? "<#\(function)#>"
  }

  // MARK: Steps

  /// A step as statements. The test skips a run's step if the program does not ask for its request.
  private func lines(of step: ExploredStep<Action>, in store: String, at index: Int) -> [String] {
    switch step {
    case .action(let action), .component(_, let action):
      return ["\(store).send(\(SourceText.value(action, as: Action.self)))\(check(at: index, in: store))"]
    case .closure(_, let action):
      // The store of the test makes this action by itself.
      if checkedStep != index { return [] }
      let value = SourceText.value(action, as: Action.self)
      return ["await \(store).receive(\(value))\(check(at: index, in: store))"]
    case .restart, .time: return []
    case .outcome(let outcome):
      let isOld = isAtOlderValue(outcome, from: index)
      let request = SourceText.value(isOld ? outcome.firstRequest : outcome.request)
      let ids = outcome.parts.map { SourceText.value($0.base) }
      let part = ids.count > 1 ? "[\(ids.joined(separator: ", "))] as [AnyHashable]" : ids.first
      let names = names(sharing: outcome, at: index)
      let isShared = names.contains { $0 != outcome.effect }
      let name = isShared ? "named: \"\(outcome.effect)\"" : nil
      let selection = [part.map { "in: \($0)" }, name].compactMap(\.self)
      guard let call = call(for: outcome, ([request] + selection).joined(separator: ", ")) else { return [] }
      let newest = SourceText.value(outcome.newestRequest)
      let asked = "\(store).inProgress(\(selection.joined(separator: ", "))).contains(\(newest))"
      let step = "if \(asked) { \(store).\(call)\(check(at: index, in: store)) }"
      let others = "Other connections of this name have an equal request: give them different names."
      let isAmbiguous = outcome.parts.isEmpty && names.count { $0 == outcome.effect } > 1
      return isAmbiguous ? ["// \(others)", step] : [step]
    }
  }

  /// Whether a run has not taken the newest value, or ends without taking it. A test store assumes that a run has taken
  /// the newest value before it answers that value.
  private func isAtOlderValue(_ outcome: ExploredOutcome, from index: Int) -> Bool {
    if AnyHashable(outcome.request) != AnyHashable(outcome.newestRequest) { return true }
    for case .outcome(let other) in steps[index...] where other.isOfRun(of: outcome) && !other.continues {
      return other.leavesValue
    }
    return false
  }

  /// The closure of a step that checks the state after it.
  private func check(at index: Int, in store: String) -> String {
    checkedStep == index ? " { isFulfilled = \(holds(in: store, state: "$0").condition) }" : ""
  }

  /// The names of the connections with an equal request in progress, once for each request.
  private func names(sharing outcome: ExploredOutcome, at index: Int) -> [String] {
    zip(running[index].all, running[index].names).compactMap { request, name in
      let isEqual = AnyHashable(request) == AnyHashable(outcome.newestRequest)
      return isEqual ? name : nil
    }
  }

  private func call(for outcome: ExploredOutcome, _ run: String) -> String? {
    let actions = outcome.actions.map { SourceText.value($0, as: Action.self) }.joined(separator: ", ")
    if let failure = outcome.failure, !outcome.continues {
      return "fail(\(run), with: \(SourceText.value(failure)))"
    }
    // A policy lets this run begin later. The test store serves each request at once, so the test has no such step.
    if outcome.continues, actions.isEmpty { return nil }
    if outcome.continues { return "send(\(actions), from: \(run))" }
    return "answer(\(run)\(actions.isEmpty ? "" : ", with: \(actions)"))"
  }

  // MARK: The property

  /// The check of the property: the declarations it needs, and the condition.
  private func holds(
    in store: String, state found: String? = nil
  ) -> (source: [String], condition: String) {
    let state = found ?? "\(store).state"
    guard property.kind == .always || property.kind == .never, let found = property.source else {
      let condition = difference(from: state, in: store)
      let why =
        property.kind.looksAtWays
        ? "A test cannot state it of all ways" : "It is not written as a closure where it is stated"
      return (["// \(why), so this states only that the moves lead to another state."], condition)
    }
    var source = found.closure
    let name = Spelling.source(of: State.self)
    let type = property.looksAtRuns ? "(\(name), RunningRequests) -> Bool" : "(\(name)) -> Bool"
    source[0] = "let holds: \(type) = \(source[0])"
    if !found.names.isEmpty {
      let names = found.names.map { "`\($0)`" }.joined(separator: ", ")
      source.insert("// Declared where the property is stated: \(names).", at: 0)
    }
    source = found.constants + source
    let call = property.looksAtRuns ? "holds(\(state), \(store).inProgress())" : "holds(\(state))"
    return (source, "\(property.kind == .never ? "!" : "")\(call)")
  }

  /// Expects that the moves lead to another state. Used for properties of paths, and for those without source.
  private func difference(from state: String, in store: String) -> String {
    let last = states[states.count - 1]
    let found = explorer.partSource.map { "\($0)(\(state))" } ?? state
    let part = explorer.partSource == nil ? nil : explorer.identity.source?(last)
    let value = part ?? SourceText.value(last)
    if !property.looksAtRuns, !property.kind.looksAtWays { return "\(found) != \(value)" }
    let requests = running[running.count - 1]
    let list = requests.all.map { "AnyHashable(\(SourceText.value($0)))" }.joined(separator: ", ")
    let runs = requests.isEmpty ? "\(store).running.isEmpty" : "Set(\(store).running) == [\(list)]"
    return "!(\(found) == \(value) && \(runs))"
  }

  /// A function name made of the words of a property's name.
  private static func name(of property: String) -> String {
    let words = property.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    let first = words.first?.lowercased() ?? "property"
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let start = first.first?.isNumber == true ? "test\(first)" : first
    return rest.isEmpty ? "\(start)Holds" : start + rest.joined()
  }
}
