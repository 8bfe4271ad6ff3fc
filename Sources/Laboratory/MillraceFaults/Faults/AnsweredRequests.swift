import Millrace
import MillraceSpelling
import MillraceTestStore

/// One of the requests that a test answers.
struct AnsweredRequest: Hashable, Sendable {
  let kind: RequestKind
  let run: RunKey
  /// Its number among the equal requests that the test answers, counted from 1.
  let number: Int

  var text: String { number == 1 ? run.text : "\(run.text) (run \(number))" }
}

/// The requests that a test has answered, in order. Pure.
struct AnsweredRequests {
  struct Entry {
    let request: AnsweredRequest
    /// The request itself, of which failures are made.
    let value: any Hashable & Sendable
    let failureType: Any.Type
    /// How many actions its run has sent.
    fileprivate(set) var sent = 0
    /// After how many of them the run went on: it can end halfway after each.
    fileprivate(set) var halfway = 0
  }

  private(set) var entries: [Entry] = []
  private var indices: [UInt64: Int] = [:]
  private var counts: [RunKey: Int] = [:]

  /// The test answers a run, maybe not for the first time.
  ///
  /// - Parameter value: its request, the newest where others were handed over.
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
