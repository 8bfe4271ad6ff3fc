import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceStorage
import MillraceTesting
import TestSupport
import Testing

@testable import booking

private typealias Entry = Navigation<Screen>.Entry

/// The program, and a window that performs steps whenever it likes and is swiped at any time.
private struct World: Sendable {
  var booking = Booking()
  /// What is in the window.
  var glass: [Entry] = []
  /// What an open link leads to, until the user does something else.
  var link: [Screen]?
  var problem: String?

  enum Action: Hashable, Sendable {
    case typed(String)
    case swiped
    case navigation(Navigation<Screen>.Action)
  }

  @Sendable static func reduce(_ world: inout World, _ action: Action) {
    let before = world.booking
    switch action {
    case .typed(let line):
      Booking.reduce(&world.booking, .typed(line))
      world.follow(line, from: before)
    case .swiped:
      let gone = world.swipe()
      Booking.reduce(&world.booking, .swiped(gone.id))
      // Otherwise a screen that was on its way out has gone.
      let kept = world.booking.kept
      if kept.path != before.kept.path || kept.destination != before.destination { world.link = nil }
    case .navigation(let report):
      if let step = world.booking.navigation.step { world.perform(step) }
      Booking.reduce(&world.booking, .navigation(report))
    }
    let lost = before.drafts.filter { world.booking.drafts[$0.key] == nil }
    let isMeant =
      action == .typed("yes") && before.question != nil
      || action == .typed("book") && world.booking.tickets.count > before.tickets.count
    if !lost.isEmpty, !isMeant { world.problem = "\(lost) is lost by \(action)" }
    // A swipe has happened; everything else that leaves a wizard asks about its draft first.
    let left = Set(before.place.compactMap(\.bookedTrip)).subtracting(
      world.booking.place.compactMap(\.bookedTrip))
    if action != .swiped, left.contains(where: { world.booking.drafts[$0] != nil }) {
      world.problem = "\(left) is left by \(action), and its draft stays"
    }
    world.booking.tickets = []  // otherwise there is no end of them
  }

  private mutating func follow(_ line: String, from before: Booking) {
    switch (before.question, line) {
    case (.signIn, "ann"), (.discard, "yes"): break
    default: link = line.hasPrefix("open ") ? try? Link.screens(for: String(line.dropFirst(5))) : nil
    }
  }

  /// The window removes its newest screen by itself, also one that is on its way in.
  private mutating func swipe() -> Entry {
    if case .push(let entry)? = booking.navigation.step?.change { return entry }
    return glass.removeLast()
  }

  /// What the window does, and what it is not to be told to do.
  private mutating func perform(_ step: Navigation<Screen>.Step) {
    let isThere = glass.contains { $0.id == step.change.entry.id }
    switch step.change {
    case .pop(let entry):
      if glass.last?.id != entry.id { problem = "\(step), which is not the newest" }
      glass.removeAll { $0.id == entry.id }
    case .change(let entry, let screen):
      if !isThere { problem = "\(step), which is not there" }
      for index in glass.indices where glass[index].id == entry.id { glass[index].screen = screen }
    case .push(let entry):
      if isThere { problem = "\(step) again" }
      glass.append(entry)
    }
  }

  /// What tells worlds apart: the identities by their order alone, since they grow for ever.
  var part: [String] {
    let navigation = booking.navigation
    var known: [Entry.ID] = []
    func name(_ entry: Entry) -> String {
      if !known.contains(entry.id) { known.append(entry.id) }
      return "\(known.firstIndex(of: entry.id) ?? 0)\(entry.screen)"
    }
    let paths = [
      Array(navigation.wanted.entries), Array(navigation.shown), glass,
      navigation.step.map { [$0.change.entry] } ?? [],
    ].map { $0.map(name).joined(separator: ",") }
    let drafts = booking.drafts.map { "\($0)" }.sorted()
    let step = navigation.step.map { "\($0.change)".prefix(6) + "\($0.isLast)" } ?? ""
    return paths + drafts + [
      step, "\(booking.user ?? "")", "\(booking.destination ?? [])", "\(link ?? [])", problem ?? "",
    ]
  }

  /// The lines that may be typed.
  var lines: [String] {
    let common = ["back", "home", "open trip/7/seat", "open tickets"]
    switch booking.navigation.wanted.top?.screen {
    case .trips: return common + ["7"]
    case .trip: return common + ["book"]
    case .book(_, .seat): return common + ["1a", ""]
    case .book(_, .name): return common + ["Ann"]
    case .book(_, .review): return common + ["book"]
    case .signIn: return common + ["ann"]
    case .discard: return common + ["yes", "no"]
    case .tickets, nil: return common
    }
  }
}

@Suite("Everything that may happen to the booking", .timeLimit(.minutes(10))) struct ExplorationTests {
  private let explorer = Explorer(
    initialState: World(), comparing: { world, _ in world.part }, reduce: World.reduce,
    connect: { store in
      store.connect(RoutingEffect<Screen> { _ in }, to: \.booking.navigation, action: World.Action.navigation)
    }
  )
  .userActions { world in
    var actions = world.lines.map(World.Action.typed)
    if case .push? = world.booking.navigation.step?.change, !world.glass.isEmpty {
      actions.append(.swiped)
    } else if world.glass.count > 1 {
      actions.append(.swiped)
    }
    return actions
  }
  .outcomes(of: Navigation<Screen>.Step.self, sending: Navigation<Screen>.Action.self) { step in
    [.answers(.performed(step.number))]
  }
  .crashes { world in
    // The window is gone; what is kept goes through its file.
    var restored = World()
    restored.booking = Booking(StoredValue(value: world.booking.kept, generation: 1))
    restored.link = world.link
    return restored
  }

  @Test("slow windows, swipes, links and restarts: what is shown comes to what is wanted")
  func converges() {
    let report =
      explorer
      .always("the window is told nothing wrong, and no draft is lost") { $0.problem == nil }
      .always("what is shown is in the window") { Array($0.booking.navigation.shown) == $0.glass }
      .always("it rests only where what is wanted is shown") { world, running in
        !running.isEmpty || world.booking.navigation.isSettled
      }
      .always("a question is asked as long as there is something to go on to") { world in
        (world.booking.question != nil) == (world.booking.destination != nil)
      }
      .always("one question at a time, above a way back to the trips") { world in
        let screens = world.booking.navigation.wanted.screens
        return screens.first == .trips && screens.count { $0.isModal } <= 1
          && screens.dropLast().allSatisfy { !$0.isModal }
      }
      .always("nobody is where a sign-in is needed without one") { world in
        world.booking.user != nil || !world.booking.navigation.wanted.screens.contains(where: \.needsUser)
      }
      .always("a link is where it leads, or waits for the answer to a question") { world in
        guard let link = world.link else { return true }
        return world.booking.destination == link || world.booking.navigation.wanted.screens == link
      }
      .eventually("the window comes to rest") { $0.booking.navigation.step == nil }
      .alwaysReachable("what is wanted is shown") { $0.booking.navigation.isSettled }
      .explore(states: TestSize.count(500, full: 20_000))
    // The smaller exploration does not come to its end.
    #expect(
      TestSize.isFull ? report.isClean && report.bounds.isEmpty : report.counterexamples.isEmpty, "\(report)")
    #expect(report.counts.states >= 500, "\(report.counts)")
  }
}
