import Millrace

/// The places of a run in the lines (queues) of its effect, such as a slot of a limit.
struct RunPlaces {
  /// A place for which a run waits.
  final class Waiting: @unchecked Sendable {  // what varies is guarded by the lock of the session's places
    let place: PlaceInLine
    /// The lines in which the run waits after this one.
    let rest: ArraySlice<PlaceInLine>
    var run: HeldRun
    var wait: Wait
    var ticket: UInt64?

    init(_ run: HeldRun, for place: PlaceInLine, then rest: ArraySlice<PlaceInLine>) {
      (self.run, self.place, self.rest) = (run, place, rest)
      wait = run.wait(.byOthers, for: place.line.reason)
    }
  }

  var taken: [PlaceInLine] = []
  var waiting: Waiting?
  /// Whether the test has addressed the run in any step.
  var isAddressed = false
}

/// Limits also hold for runs that the test answers: a run can be answered once it has a place in every line.
extension TestSession {
  func takePlaces(for run: HeldRun) {
    takePlaces(Self.lines(of: run.effect, for: run.request)[...], for: run)
  }

  /// The lines in which the run of a request waits, one after the other: that of the effect, then those of the effects
  /// within. The search stops at an effect that makes several attempts.
  private static func lines(of effect: any Sendable, for request: any Sendable) -> [PlaceInLine] {
    guard let wrapper = effect as? any WrapperEffect, !(effect is any RepeatsRuns) else { return [] }
    let own = (effect as? any RunsInLine)?.place(for: request).map { [$0] } ?? []
    return own + lines(of: wrapper.base, for: request)
  }

  private func takePlaces(_ lines: ArraySlice<PlaceInLine>, for run: HeldRun) {
    guard let place = lines.first else { return hold(run) }
    let waiting = RunPlaces.Waiting(run, for: place, then: lines.dropFirst())
    places.withLock { $0[run.generation, default: RunPlaces()].waiting = waiting }
    let ticket = place.line.enter(priority: place.priority) { [weak self] in self?.took(waiting) }
    guard let ticket else { return took(waiting) }
    places.withLock { _ in waiting.ticket = ticket }
    waiting.wait.begin()
  }

  private func took(_ waiting: RunPlaces.Waiting) {
    let (run, wait) = places.withLock { places in
      places[waiting.run.generation]?.taken.append(waiting.place)
      places[waiting.run.generation]?.waiting = nil
      return (waiting.run, waiting.wait)
    }
    wait.end()
    takePlaces(waiting.rest, for: run)
  }

  /// The run has ended, or its body executes: other runs take its places.
  func leavePlaces(of run: UInt64) {
    guard let left = places.withLock({ $0.removeValue(forKey: run) }) else { return }
    if let waiting = left.waiting {
      waiting.wait.end()
      if let ticket = waiting.ticket { waiting.place.line.leave(ticket) }
    }
    for place in left.taken.reversed() { place.line.giveBack() }
  }

  /// The test addresses a run.
  func address(_ run: HeldRun) { places.withLock { $0[run.generation]?.isAddressed = true } }

  /// The test addresses a run that waits for a place. If one action has begun several runs, any of them may be first.
  /// So a run that the test has not addressed yet gives its place to this one.
  func makeRoom(for selection: RunSelection) {
    let held = held.withLock { Array($0.values) }
    let live = book.withLock { $0.inProgress(selection) }
    let swapped = places.withLock { places -> (HeldRun, HeldRun, ended: Wait, begun: Wait)? in
      let sought = live.compactMap { places[$0]?.waiting }.filter(\.rest.isEmpty)
      guard let waiting = sought.first, sought.count == 1 else { return nil }
      let run = waiting.run
      let other = held.first { other in
        guard let places = places[other.generation], !places.isAddressed, let last = places.taken.last else {
          return false
        }
        return last.line === waiting.place.line && last.priority == waiting.place.priority
          && other.startedBy == run.startedBy
      }
      guard let other, let place = places[other.generation]?.taken.popLast() else { return nil }
      places[other.generation]?.waiting = waiting
      places[run.generation]?.taken.append(place)
      places[run.generation]?.waiting = nil
      waiting.run = other
      let ended = waiting.wait
      waiting.wait = other.wait(.byOthers, for: waiting.place.line.reason)
      return (run, other, ended, waiting.wait)
    }
    guard let (run, other, ended, begun) = swapped else { return }
    begun.begin()
    ended.end()
    release(other.generation)
    hold(run)
  }
}
