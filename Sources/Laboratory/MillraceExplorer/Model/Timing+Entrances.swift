import MillraceEffects

/// Decides which runs pass an entrance and which wait before it.
extension Timing {
  private typealias Waiting = (key: RunKey, entry: Entry, arrival: Int)

  /// Lets every run continue that need not wait. If runs that came together compete for a place, none of them continues
  /// here: the choice between them is a move.
  mutating func settle(in places: EntrancePlaces) {
    repeat { arrive(in: places) } while letIn()
    closeRanks()
  }

  /// A run passes the entrance before which it waits.
  mutating func enter(_ key: RunKey) {
    guard let turn = runs[key]?.turn, let entry = runs[key]?.course.entry else { return }
    change(turn.entrance, from: entry.entrance) { $0.entered(key, entry.cost) }
    runs[key]?.turn = nil
    runs[key]?.course.enter()
  }

  /// A run has continued: reports to the entrances that it has left how it left them.
  mutating func leave(_ key: RunKey, ends: Bool, in places: EntrancePlaces) {
    guard var progress = runs[key] else { return }
    var left = progress.inside
    progress.inside = ends ? [] : progress.course.inside.map { places.key(of: $0, at: key.effect) }
    for exit in progress.course.takeExits() {
      let entrance = places.key(of: exit.entry, at: key.effect)
      left.removeAll { $0 == entrance }
      change(entrance) { $0.left(key, exit.ending) }
    }
    for entrance in left where !progress.inside.contains(entrance) {
      change(entrance) { $0.left(key, .stopped) }
    }
    if ends, let turn = progress.turn { change(turn.entrance) { $0.gaveUp(key) } }
    runs[key] = ends ? nil : progress
  }

  /// Changes an entrance.
  mutating func change(
    _ key: EntranceKey, from first: (any Entrance)? = nil, _ change: (inout any Entrance) -> Void
  ) {
    guard var entrance = entrances[key]?.base as? any Entrance ?? first else { return }
    change(&entrance)
    entrances[key] = entrance.isUnused ? nil : AnyHashable(entrance)
  }

  /// The time until a run may pass the entrance before which it waits; `nil` if it waits for another run.
  func wait(of key: RunKey) -> Duration? {
    guard let progress = runs[key], let turn = progress.turn, let entry = progress.course.entry else {
      return nil
    }
    guard entry.isRefused || first(in: line(before: turn.entrance)).contains(where: { $0.key == key }) else {
      return nil
    }
    return entrance(turn.entrance, entry).wait(of: key, entry.cost, inside: inside(turn.entrance))
  }

  // MARK: Lines

  /// Appends runs that have reached an entrance to its line.
  private mutating func arrive(in places: EntrancePlaces) {
    let last = Dictionary(
      runs.values.compactMap { $0.turn.map { ($0.entrance, $0.arrival) } }, uniquingKeysWith: max)
    var moved: [(key: RunKey, text: String, former: EntranceKey?, entrance: EntranceKey?)] = []
    for (key, progress) in runs {
      runs[key]?.inside = progress.course.inside.map { places.key(of: $0, at: key.effect) }
      let entrance = progress.course.entry.map { places.key(of: $0, at: key.effect) }
      if entrance != progress.turn?.entrance {
        moved.append((key, progress.text, progress.turn?.entrance, entrance))
      }
    }
    if moved.count > 1 { moved.sort { $0.text < $1.text } }
    for (key, _, former, entrance) in moved {
      runs[key]?.turn = entrance.map { Turn(entrance: $0, arrival: (last[$0] ?? -1) + 1) }
      if let former { change(former) { $0.gaveUp(key) } }
      guard let entrance, let entry = runs[key]?.course.entry else { continue }
      change(entrance, from: entry.entrance) { $0.arrived(key, quiet: entry.quiet) }
    }
  }

  /// Lets in or refuses each run that competes with no other.
  ///
  /// - Returns: whether there were any.
  private mutating func letIn() -> Bool {
    var isChanged = false
    for entrance in Set(runs.values.compactMap(\.turn?.entrance)) {
      for waiting in line(before: entrance) where waiting.entry.isRefused {
        let wait = wait(of: waiting.key)
        if wait == .zero { continue }
        runs[waiting.key]?.turn = nil
        runs[waiting.key]?.course.refuse(wait)
        isChanged = true
      }
      let line = line(before: entrance)
      let isEach = line.first?.entry.entrance.letsInEach == true
      let groups = isEach ? line.map { [$0] } : [line.filter(\.entry.isRefused), first(in: line)]
      for group in groups where fits(group, entrance) {
        for waiting in group { enter(waiting.key) }
        isChanged = true
      }
    }
    return isChanged
  }

  private func line(before entrance: EntranceKey) -> [Waiting] {
    runs.compactMap { key, progress in
      guard let turn = progress.turn, turn.entrance == entrance else { return nil }
      return progress.course.entry.map { (key, $0, turn.arrival) }
    }
  }

  /// The runs in a line that compete for the next place.
  private func first(in line: [Waiting]) -> [Waiting] {
    let waiting = line.filter { !$0.entry.isRefused }
    return waiting.filter { one in
      !waiting.contains { other in
        let order = one.entry.entrance.order
        return order?.precedes((other.entry.priority, other.arrival), (one.entry.priority, one.arrival))
          == true
      }
    }
  }

  /// Whether all runs of a group may pass at once.
  private func fits(_ group: [Waiting], _ key: EntranceKey) -> Bool {
    guard var entrance = group.first.map({ entrance(key, $0.entry) }) else { return false }
    var inside = inside(key)
    for waiting in group {
      guard entrance.wait(of: waiting.key, waiting.entry.cost, inside: inside) == .zero else { return false }
      entrance.entered(waiting.key, waiting.entry.cost)
      inside += 1
    }
    return true
  }

  private func entrance(_ key: EntranceKey, _ entry: Entry) -> any Entrance {
    entrances[key]?.base as? any Entrance ?? entry.entrance
  }

  private func inside(_ entrance: EntranceKey) -> Int {
    runs.values.reduce(0) { $0 + $1.inside.count { $0 == entrance } }
  }

  /// Numbers the places of each line without gaps, so that equal lines are equal.
  private mutating func closeRanks() {
    let lines = Dictionary(grouping: runs.values.compactMap(\.turn), by: \.entrance)
      .mapValues { Set($0.map(\.arrival)).sorted() }
    for key in runs.keys {
      guard let turn = runs[key]?.turn, let rank = lines[turn.entrance]?.firstIndex(of: turn.arrival) else {
        continue
      }
      runs[key]?.turn?.arrival = rank
    }
  }
}
