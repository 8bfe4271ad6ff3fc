import Millrace

/// Models the progress of a run of any policy, for an explorer: the run waits, or the wrapped effect runs. Policies
/// differ only in their rules.
struct PolicyCourse<Rule: PolicyRule>: RunCourse {
  private enum Stage {
    case waits(Duration)
    case atEntrance(Entry)
    /// The run was refused, and has not reported that yet.
    case refused(DueAct.Kind)
    /// The run was refused, and waits for another value.
    case idle
    case serves(any RunCourse)
  }

  private var rule: Rule
  /// The newest value of the request.
  private var request: Rule.Policy.Request
  private var stage = Stage.idle
  private var exits: [Exit] = []

  init(_ rule: Rule, of request: Rule.Policy.Request) {
    self.rule = rule
    self.request = request
    wait(rule.wait(before: request))
  }

  // MARK: Stages

  private mutating func wait(_ wait: Duration) {
    let wait = min(wait, TimerLimits.longestWait)
    if wait > .zero { stage = .waits(wait) } else { begin() }
  }

  private mutating func begin() {
    stage = rule.entry(for: request).map { .atEntrance($0) } ?? .serves(rule.course(of: request))
  }

  var phase: [AnyHashable] {
    switch stage {
    case .waits(let rest): rule.phase + [0, rest]
    case .atEntrance: rule.phase + [1]
    case .refused: rule.phase + [2]
    case .idle: rule.phase + [3]
    case .serves(let course): rule.phase + [4] + course.phase
    }
  }

  /// The run of the wrapped effect; `nil` if there is none.
  private var served: (any RunCourse)? {
    get { if case .serves(let course) = stage { course } else { nil } }
    set { if let newValue { stage = .serves(newValue) } }
  }

  var isServed: Bool { served?.isServed ?? false }

  mutating func elapse(_ time: Duration) {
    switch stage {
    case .waits(let rest): stage = .waits(rest - time)
    case .atEntrance, .refused, .idle: break
    case .serves:
      served?.elapse(time)
      rule.elapse(time)
    }
  }

  mutating func handOver(_ request: any Hashable & Sendable) {
    guard let request = request as? Rule.Policy.Request else { return }
    self.request = request
    switch stage {
    case .waits: if rule.waitsAnew { wait(rule.wait(before: request)) }
    case .atEntrance, .refused: break
    case .idle: begin()
    case .serves: served?.handOver(request)
    }
  }

  // MARK: Acts

  var dues: [DueAct] {
    switch stage {
    case .waits(let rest): [DueAct(after: rest, .begins)]
    case .atEntrance, .idle: []
    case .refused(let kind): [DueAct(after: .zero, kind)]
    case .serves(let course): course.dues.map(passedOn) + (rule.limit(of: request).map { [$0] } ?? [])
    }
  }

  /// Changes an act of the wrapped effect into an act of the policy's run.
  private func passedOn(_ due: DueAct) -> DueAct {
    var next = self
    switch due.kind {
    case .begins, .sends, .repeats: return due
    case .answers(let actions): return DueAct(after: due.wait, next.end(sending: actions) ?? due.kind)
    case .fails(let failure): return DueAct(after: due.wait, next.end(after: failure) ?? due.kind)
    }
  }

  mutating func act(_ index: Int) {
    switch stage {
    case .waits: begin()
    case .atEntrance, .idle: break
    case .refused: stage = .idle
    case .serves(let course):
      let dues = course.dues
      guard index < dues.count else { return }  // the last index is that of the limit, which ends the run
      served?.act(index)
      switch dues[index].kind {
      case .begins: break
      case .sends(let actions), .repeats(let actions, _): if !actions.isEmpty { rule.sent() }
      case .answers: leave(by: nil)
      case .fails(let failure): leave(by: failure)
      }
    }
  }

  mutating func sends() {
    guard served != nil else { return }
    served?.sends()
    rule.sent()
  }

  mutating func end(by failure: (any Error)?) -> DueAct.Kind? {
    guard served != nil else { return nil }
    let inner = served?.end(by: failure)
    switch inner {
    case .answers(let actions)?: return leave(by: nil, sending: actions) ?? inner
    case .repeats(let actions, _)?:
      if !actions.isEmpty { rule.sent() }
      return inner
    case .begins?, .sends?, .fails?: return inner
    case nil: return leave(by: failure)
    }
  }

  /// The wrapped effect has ended. Returns what the run does instead of ending in the same way.
  @discardableResult
  private mutating func leave(by failure: (any Error)?, sending actions: [any Sendable] = []) -> DueAct.Kind?
  {
    exits = takeExits()  // before another run takes the place of this one
    if rule.staysInside, let entry = rule.entry(for: request) {
      exits.append(Exit(entry: entry, ending: rule.ending(by: failure as? Rule.Policy.Failure)))
    }
    return end(after: failure, sending: actions)
  }

  /// - Parameter actions: the actions that the wrapped effect sends as it ends.
  private mutating func end(
    after failure: (any Error)? = nil, sending actions: [any Sendable] = []
  ) -> DueAct.Kind? {
    let typed = failure as? Rule.Policy.Failure
    guard failure == nil || typed != nil, let next = rule.ended(typed, of: request) else { return nil }
    guard let wait = next.wait else { return .answers(actions + next.actions) }
    self.wait(wait)
    return .repeats(actions + next.actions, after: failure)
  }

  // MARK: Entrances

  var entry: Entry? {
    if case .atEntrance(let entry) = stage { entry } else { served?.entry?.deeper }
  }

  var inside: [Entry] {
    guard let served else { return [] }
    let own = rule.staysInside ? rule.entry(for: request).map { [$0] } ?? [] : []
    return own + served.inside.map(\.deeper)
  }

  mutating func enter() {
    if served == nil { stage = .serves(rule.course(of: request)) } else { served?.enter() }
  }

  mutating func takeExits() -> [Exit] {
    defer { exits = [] }
    return exits + (served?.takeExits().map(\.deeper) ?? [])
  }

  mutating func refuse(_ wait: Duration?) {
    if served == nil {
      stage = rule.refusal(of: request, wait: wait).map { .refused($0) } ?? .idle
    } else {
      served?.refuse(wait)
    }
  }
}

extension Entry {
  /// The entry as seen by a policy around the effect.
  fileprivate var deeper: Entry {
    var entry = self
    entry.depth += 1
    return entry
  }
}

extension Exit {
  fileprivate var deeper: Exit { Exit(entry: entry.deeper, ending: ending) }
}

extension EffectComponent {
  /// The model of a run of this effect within a policy, at its beginning.
  func course(of request: Request) -> any RunCourse {
    (self as? any TimedEffect)?.erasedCourse(of: request) ?? PlainCourse()
  }
}

/// The model of a run that does nothing by itself.
private struct PlainCourse: RunCourse {}
