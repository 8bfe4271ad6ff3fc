import Millrace

/// How far each run is that acts by itself, as times until then: a part of what tells moments apart.
struct Timing: Hashable {
  /// What tells a run from others, also where a lifetime has begun again.
  struct Key: Hashable {
    let name: String
    let site: CallSite
    let whereabouts: [AnyHashable]
    let request: AnyHashable

    init(_ run: AnswerableRun) {
      name = run.run.connection.name
      site = run.run.connection.site
      whereabouts = run.run.whereabouts
      request = AnyHashable(run.request)
    }
  }

  struct Progress: Hashable {
    /// How often it has acted.
    var acts = 0
    /// The time until it acts again; `nil` if it acts no more.
    var rest: Duration?
    /// Whether it can be answered.
    var isServed: Bool
  }

  private(set) var runs: [Key: Progress] = [:]

  /// The time until something is due; `nil` if nothing is.
  var nextDue: Duration? { runs.values.compactMap(\.rest).min() }

  /// Time passes until a run acts.
  mutating func acted(_ run: AnswerableRun) {
    let passed = nextDue ?? .zero
    for key in runs.keys { runs[key]?.rest? -= passed }
    let key = Key(run)
    let acts = (runs[key]?.acts ?? 0) + 1
    runs[key] = Progress(acts: acts, rest: run.due(after: acts)?.wait, isServed: true)
  }

  /// Which runs there are has changed: those that are new have acted never.
  func carried(to present: [AnswerableRun]) -> Timing {
    var timing = Timing()
    for run in present {
      let key = Key(run)
      if let known = runs[key] {
        timing.runs[key] = known
      } else if let due = run.due(after: 0) {
        var isServed = true
        if case .begins = due.kind { isServed = false }
        timing.runs[key] = Progress(rest: due.wait, isServed: isServed)
      }
    }
    return timing
  }
}
