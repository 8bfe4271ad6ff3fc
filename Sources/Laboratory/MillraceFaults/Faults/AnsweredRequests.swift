import Millrace
import MillraceSpelling
import MillraceTestStore

/// One of the requests that a test answers.
struct AnsweredRequest: Hashable, Sendable {
  let kind: RequestKind
  let run: RunKey
  /// Its number among the equal requests of the test, counted from 1.
  let number: Int

  var text: String { number == 1 ? run.text : "\(run.text) (run \(number))" }
}

/// The requests that a test has answered, in order. Pure.
struct AnsweredRequests {
  struct Entry {
    let request: AnsweredRequest
    /// The request itself, from which the test's closures make failures.
    let value: any Hashable & Sendable
    let failureType: Any.Type
    /// The number of actions that its run has sent.
    fileprivate(set) var sent = 0
    /// The number of actions after which the run continued. A fault can strike after each of them.
    fileprivate(set) var halfway = 0
  }

  private(set) var entries: [Entry] = []
  private var indices: [UInt64: Int] = [:]
  private var counts: [RunKey: Int] = [:]

  /// The test answers a run, possibly not for the first time.
  ///
  /// - Parameter value: its request; if newer ones were handed over, the newest.
  mutating func answered(_ run: HeldRun, serving value: any Hashable & Sendable) -> Entry {
    if let index = indices[run.generation] { return entries[index] }
    let key = RunKey(run, serving: value)
    counts[key, default: 0] += 1
    let kind = RequestKind(effect: run.identity.name, request: Spelling.kind(of: value))
    let request = AnsweredRequest(kind: kind, run: key, number: counts[key] ?? 1)
    indices[run.generation] = entries.count
    entries.append(Entry(request: request, value: value, failureType: run.types.failure))
    return entries[entries.count - 1]
  }

  /// A run has sent an action for the test.
  mutating func sent(by run: UInt64, isLive: Bool) {
    guard let index = indices[run] else { return }
    entries[index].sent += 1
    if isLive { entries[index].halfway = entries[index].sent }
  }
}
