/// A state with the steps that led to it, for looking back, returning and branching off.
///
/// ```swift
/// struct Desk: Equatable, Sendable {
///   var drawing = Timeline<Drawing, Drawing.Action>(Drawing(), limit: 200)
/// }
/// ```
///
/// Each action makes a ``Step`` with a number, the action and the state after it. ``state`` is the state in view, which
/// views and components show. ``live`` is the newest state, or `nil` while the timeline looks back. Connect effects
/// where `live` is present: their runs stop on looking back. On return, the effects ask for the requests of the newest
/// state.
///
/// An action that arrives while the timeline looks back is held until the return, or refused (``Arrivals``). So the
/// past never changes while it is in view. After ``TimelineAction/branch`` the state in view becomes the newest one.
/// The steps that followed it are kept as a ``Branch`` until they are forgotten.
///
/// A step costs the memory that its state does not share with the step before; states of ``KeyedArray``s share most of
/// it. If there are more than `limit` steps, the oldest is dropped. All branches together also have at most `limit`
/// steps; the oldest branch is forgotten first.
public struct Timeline<State: Equatable & Sendable, Action: Sendable>: Sendable {
  /// An action and the state after it.
  public struct Step: Sendable, Identifiable {
    /// The number of the step, unique in the timeline. Later steps have larger numbers.
    public let number: Int
    /// The action that was reduced.
    public let action: Action
    /// The state after the action, and after following actions that are no steps of their own.
    public fileprivate(set) var state: State

    /// The number of the step.
    public var id: Int { number }
  }

  /// A series of steps that was left for another one.
  public struct Branch: Sendable, Identifiable {
    /// The number of the step before the first one; ``Timeline/startNumber`` if that is the start.
    public let follows: Int
    /// The steps of the branch, at least one.
    public let steps: [Step]

    /// The number of its first step.
    public var id: Int { steps[0].number }
  }

  /// What happens to an action that arrives while the timeline looks back.
  public enum Arrivals: Sendable, Hashable {
    /// It is reduced on return or after a branch. At most `limit` actions are held; further ones are refused.
    case held
    /// It is dropped and counted in ``Timeline/refused``.
    case refused
  }

  // The properties that are most likely to differ come first, so that `==` is fast.
  private var lastNumber = 0
  /// The number of steps before the moment in view; `nil` if that is the newest.
  private var seen: Int?
  /// The number of actions refused while the timeline looked back.
  public private(set) var refused = 0
  /// The largest number of steps that are kept.
  public let limit: Int
  /// What happens to an action that arrives while the timeline looks back.
  public let arrivals: Arrivals
  /// The number of the step whose state is ``start``: 0 until steps are dropped.
  public private(set) var startNumber = 0
  /// The state before the first step.
  public private(set) var start: State
  /// The actions that wait for the return, oldest first.
  public private(set) var held: [Action] = []
  /// The steps from ``start`` to ``present``, oldest first.
  public private(set) var steps: [Step] = []
  /// The branches, in the order in which they were left.
  public private(set) var branches: [Branch] = []

  /// Makes a timeline without steps.
  ///
  /// - Precondition: `limit` is greater than zero.
  public init(_ start: State, limit: Int = 1000, arrivals: Arrivals = .held) {
    precondition(limit > 0, "a timeline keeps at least one step")
    (self.start, self.limit, self.arrivals) = (start, limit, arrivals)
  }

  /// The newest state. O(1).
  public var present: State { steps.last?.state ?? start }

  /// The state in view: that of the step looked at, or the newest. O(1).
  public var state: State {
    guard let seen else { return present }
    return seen == 0 ? start : steps[seen - 1].state
  }

  /// The newest state; `nil` while the timeline looks back. O(1).
  public var live: State? { isLive ? present : nil }

  /// Whether the newest state is in view, and so may change.
  public var isLive: Bool { seen == nil }

  /// The number of the step in view; ``startNumber`` before the first one.
  public var number: Int {
    let count = seen ?? steps.count
    return count == 0 ? startNumber : steps[count - 1].number
  }

  /// Whether there is a step before the one in view.
  public var canGoBack: Bool { (seen ?? steps.count) > 0 }

  // MARK: Reducing

  /// Reduces an action on the timeline; `reduce` reduces those on the state.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - isRecorded: whether an action is a step. The state after another action belongs to the step before it.
  ///   - reduce: the reducer of the state.
  /// - Complexity: that of `reduce`: one call for a change while the newest state is in view, and one for each held
  ///   action on return. O(`limit`) for a step once the limit is reached, and for finding a step by its number.
  public mutating func reduce(
    _ action: TimelineAction<Action>, where isRecorded: (Action) -> Bool = { _ in true },
    with reduce: (inout State, Action) -> Void
  ) {
    switch action {
    case .change(let action): arrived(action, isRecorded, reduce)
    case .back: if canGoBack { seen = (seen ?? steps.count) - 1 }
    case .forward:
      guard let seen else { return }
      if seen + 1 < steps.count { self.seen = seen + 1 } else { resume(isRecorded, reduce) }
    case .to(let number): if let place = place(of: number) { seen = place }
    case .live: resume(isRecorded, reduce)
    case .branch:
      guard let seen else { return }
      leaveSteps(after: seen)
      resume(isRecorded, reduce)
    case .take(let branch):
      guard branches.contains(where: { $0.id == branch }) else { return }
      take(branch)
      trim()
      resume(isRecorded, reduce)
    case .forget(let branch):
      branches.removeAll { $0.id == branch }
      forgetUnreachable()
    case .forgetBranches: branches = []
    case .forgetSteps:
      (start, startNumber) = (state, number)
      (steps, branches) = ([], [])
      resume(isRecorded, reduce)
    }
  }

  private mutating func arrived(
    _ action: Action, _ isRecorded: (Action) -> Bool, _ reduce: (inout State, Action) -> Void
  ) {
    if isLive {
      take(action, isRecorded, reduce)
    } else if arrivals == .held, held.count < limit {
      held.append(action)
    } else {
      refused += 1
    }
  }

  private mutating func take(
    _ action: Action, _ isRecorded: (Action) -> Bool, _ reduce: (inout State, Action) -> Void
  ) {
    if isRecorded(action) {
      var state = present
      reduce(&state, action)
      lastNumber += 1
      steps.append(Step(number: lastNumber, action: action, state: state))
      trim()
    } else if steps.isEmpty {
      reduce(&start, action)
    } else {
      reduce(&steps[steps.count - 1].state, action)
    }
  }

  /// Returns to the newest state, and reduces the held actions.
  private mutating func resume(_ isRecorded: (Action) -> Bool, _ reduce: (inout State, Action) -> Void) {
    seen = nil
    let arrived = held
    held = []
    for action in arrived { take(action, isRecorded, reduce) }
  }

  // MARK: Branches

  /// The number of steps up to the one with this number; `nil` if there is none.
  private func place(of number: Int) -> Int? {
    if number == startNumber { return 0 }
    return steps.firstIndex { $0.number == number }.map { $0 + 1 }
  }

  /// Keeps the steps after a place as a branch.
  private mutating func leaveSteps(after place: Int) {
    guard place < steps.count else { return }
    let follows = place == 0 ? startNumber : steps[place - 1].number
    branches.append(Branch(follows: follows, steps: Array(steps[place...])))
    steps.removeSubrange(place...)
    while branches.reduce(0, { $0 + $1.steps.count }) > limit {
      branches.removeFirst()
      forgetUnreachable()
    }
  }

  /// Makes a branch part of the current steps, with the branches that lead to it.
  private mutating func take(_ id: Int) {
    guard let index = branches.firstIndex(where: { $0.id == id }) else { return }
    let branch = branches.remove(at: index)
    if place(of: branch.follows) == nil,
      let parent = branches.first(where: { $0.steps.contains { $0.number == branch.follows } })
    {
      take(parent.id)
    }
    guard let place = place(of: branch.follows) else { return }
    leaveSteps(after: place)
    steps += branch.steps
  }

  private mutating func trim() {
    guard steps.count > limit else { return }
    let dropped = steps.count - limit
    (start, startNumber) = (steps[dropped - 1].state, steps[dropped - 1].number)
    steps.removeFirst(dropped)
    forgetUnreachable()
  }

  /// Removes the branches that follow a step which is no longer kept.
  private mutating func forgetUnreachable() {
    if branches.isEmpty { return }
    var numbers = Set(steps.map(\.number))
    numbers.insert(startNumber)
    var reached: Set<Int> = []
    // Step numbers grow along a branch, so a branch has a smaller id than those that follow it.
    for branch in branches.sorted(by: { $0.id < $1.id }) where numbers.contains(branch.follows) {
      reached.insert(branch.id)
      numbers.formUnion(branch.steps.map(\.number))
    }
    branches.removeAll { !reached.contains($0.id) }
  }
}

extension Timeline: Equatable where Action: Equatable {}
extension Timeline.Step: Equatable where Action: Equatable {}
extension Timeline.Branch: Equatable where Action: Equatable {}
