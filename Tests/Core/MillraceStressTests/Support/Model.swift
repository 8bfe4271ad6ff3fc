import Millrace

/// What must be so: the state is the fold of the actions, the runs follow from the states by set difference, and
/// props are some of the states, in their order.
struct Model {
  private(set) var failures: [String] = []
  private var state = Ledger()
  private var actions = 0
  private var counts = [0]
  /// The jobs that were asked for anew, in order, by name.
  private var asked: [Int: [Job]] = [:]

  mutating func fail(_ message: String) { failures.append(message) }

  mutating func check(_ action: Ledger.Action, _ after: Ledger) {
    let before = state.jobs
    Ledger.reduce(&state, action)
    actions += 1
    if state != after { fail("after \(actions) actions the state is \(after), by the model \(state)") }
    for job in state.jobs.subtracting(before) { asked[job.name, default: []].append(job) }
    if counts.last != state.count { counts.append(state.count) }
  }

  mutating func checkEnd(_ final: Ledger, _ activity: StoreActivity) {
    if state != final { fail("in the end the state is \(final), by the model \(state)") }
    guard let lasting = activity.entries.first(where: { $0.connection.name == "lasting" }) else {
      return fail("the lasting effect is gone")
    }
    let work = Set(lasting.work.map(\.request))
    if work != Set(final.jobs.map { String(describing: $0) }) || work.count != lasting.work.count {
      fail("asked for \(final.jobs), but at work: \(lasting.work)")
    }
    for item in lasting.work where item.phase == .stopping { fail("settled, but \(item)") }
  }

  /// The bodies of the lasting effect: of each name some of those asked for, in that order, and in the end the last.
  mutating func checkBodies(_ began: [Job], _ jobs: Set<Job>) {
    for (name, asked) in asked {
      let bodies = began.filter { $0.name == name }
      if !Self.isSubsequence(bodies, of: asked) { fail("bodies \(bodies) of \(asked)") }
    }
    for job in jobs where began.last(where: { $0.name == job.name }) != job {
      fail("\(job) is asked for and has not begun: \(began)")
    }
  }

  mutating func checkProps(_ props: [Int], _ final: Int) {
    if !Self.isSubsequence(props, of: counts) { fail("props \(props) of \(counts)") }
    if props.last != final { fail("the last props are \(props.last ?? -1), not \(final)") }
    if zip(props, props.dropFirst()).contains(where: ==) { fail("props repeat: \(props)") }
  }

  private static func isSubsequence<Element: Equatable>(_ some: [Element], of all: [Element]) -> Bool {
    var rest = all[...]
    for element in some {
      guard let index = rest.firstIndex(of: element) else { return false }
      rest = rest[(index + 1)...]
    }
    return true
  }
}
