import MillraceEffects
import MillraceSpelling

/// The progress of the runs that act by themselves, and the used entrances. Belongs to the identity of a configuration.
struct Timing: Hashable {
  /// The progress of one run.
  struct Progress: Hashable {
    var course: any RunCourse
    /// The newest value of its request.
    var request: any Hashable & Sendable
    /// The request that the run began with, in words. Runs are sorted by it, since its order is the same in every
    /// process.
    let text: String
    /// The entrance before which the run waits, and its place in the line.
    var turn: Turn?
    /// The entrances that the run has passed and not left. They follow from `course`.
    var inside: [EntranceKey] = []

    static func == (left: Self, right: Self) -> Bool {
      left.turn == right.turn && left.course.phase == right.course.phase
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(turn)
      hasher.combine(course.phase)
    }
  }

  /// A place in the line before an entrance. Runs that came together have equal places.
  struct Turn: Hashable {
    let entrance: EntranceKey
    var arrival: Int
  }

  var runs: [RunKey: Progress] = [:]
  /// The entrances that have been used. All others are in their initial state.
  var entrances: [EntranceKey: AnyHashable] = [:]

  /// Whether nothing acts by itself.
  var isEmpty: Bool { runs.isEmpty && entrances.isEmpty }

  /// This value with other numbers of runs and effects.
  func renamed(_ run: @escaping (RunKey) -> RunKey, _ effect: (Int32) -> Int32) -> Timing {
    func renamed(_ key: EntranceKey) -> EntranceKey {
      EntranceKey(effect: effect(key.effect), depth: key.depth, name: key.name)
    }
    let name = { (key: AnyHashable) in (key.base as? RunKey).map { AnyHashable(run($0)) } ?? key }
    var timing = Timing()
    for (key, progress) in runs {
      var progress = progress
      progress.turn = progress.turn.map { Turn(entrance: renamed($0.entrance), arrival: $0.arrival) }
      timing.runs[run(key)] = progress
    }
    for (key, entrance) in entrances {
      let entrance = (entrance.base as? any Entrance)?.renaming(name)
      timing.entrances[renamed(key)] = entrance.map { AnyHashable($0) }
    }
    return timing
  }

  // MARK: Acts

  /// An event that comes by itself. Indirect, since most moves have none.
  indirect enum Act {
    /// A run makes an act that is due.
    case acts(RunKey, Int)
    /// A run goes through the entrance before which it waits.
    case enters(RunKey)
    /// An entrance could let in more runs, and nothing else happens.
    case passes
    /// A listed outcome of a run; the course is the run's progress afterwards.
    case answered(RunKey, any RunCourse, ends: Bool)
  }

  /// Makes an act.
  mutating func make(_ act: Act, in places: EntrancePlaces) {
    switch act {
    case .acts(let key, let index):
      let kind = runs[key]?.course.dues[index].kind
      elapse(nextDue ?? .zero)
      runs[key]?.course.act(index)
      switch kind {
      case .answers, .fails: leave(key, ends: true, in: places)
      case .begins, .sends, .repeats, nil: leave(key, ends: false, in: places)
      }
    case .enters(let key):
      elapse(nextDue ?? .zero)
      enter(key)
    case .passes: elapse(nextDue ?? .zero)
    case .answered(let key, let course, let ends):
      runs[key]?.course = course
      leave(key, ends: ends, in: places)
    }
  }

  private mutating func elapse(_ time: Duration) {
    if time == .zero { return }
    for key in runs.keys { runs[key]?.course.elapse(time) }
    for key in entrances.keys { change(key) { $0.elapse(time) } }
  }

  // MARK: Due acts

  /// The time until the next act; `nil` if there is none.
  var nextDue: Duration? {
    let dues = runs.keys.flatMap { self.dues(of: $0).map(\.due.wait) }
    return (dues + [nextChange].compactMap(\.self)).min()
  }

  /// The next acts of a run.
  func dues(of key: RunKey) -> [(due: DueAct, act: Act)] {
    guard let progress = runs[key] else { return [] }
    let dues = progress.course.dues.enumerated().map { index, due in
      // An act that was due before is due now.
      (due: DueAct(after: max(.zero, due.wait), due.kind), act: Act.acts(key, index))
    }
    return wait(of: key).map { dues + [(DueAct(after: $0, .begins), .enters(key))] } ?? dues
  }

  /// The time until an entrance without waiting runs changes.
  var nextChange: Duration? {
    let awaited = Set(runs.values.compactMap(\.turn?.entrance))
    return entrances.filter { !awaited.contains($0.key) }
      .compactMap { ($0.value.base as? any Entrance)?.nextChange }.min()
  }

  // MARK: Runs

  /// Adapts to a changed set of runs: each new run starts at its beginning.
  ///
  /// - Parameter course: returns the initial progress of a run that acts by itself; `nil` for one that does not.
  mutating func carry(
    to present: [ModelledRun], in places: EntrancePlaces,
    beginning course: (ModelledRun) -> (any RunCourse)?
  ) {
    var runs: [RunKey: Progress] = [:]
    for run in present {
      let key = run.key
      if var known = self.runs[key] {
        if AnyHashable(known.request) != AnyHashable(run.request) {
          known.request = run.request
          known.course.handOver(run.request)
        }
        runs[key] = known
      } else if let course = course(run) {
        runs[key] = Progress(
          course: course, request: run.request, text: Spelling.text(of: run.begun))
      }
    }
    for (key, progress) in self.runs where runs[key] == nil {
      for entrance in progress.inside { change(entrance) { $0.left(key, .stopped) } }
      if let turn = progress.turn { change(turn.entrance) { $0.gaveUp(key) } }
    }
    self.runs = runs
    settle(in: places)
  }
}
