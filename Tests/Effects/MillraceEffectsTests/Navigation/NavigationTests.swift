import Foundation
import MillraceEffects
import Testing

enum Screen: Hashable, Codable, Sendable {
  case inbox
  case message(Int)
  case settings
}

/// What a navigation decides, without an interface.
@Suite("Navigation") struct NavigationTests {
  private typealias Steps = Navigation<Screen>

  /// Performs steps until none is left, and returns what was done.
  private func performAll(_ navigation: inout Steps) -> [String] {
    var done: [String] = []
    while let step = navigation.step {
      done.append("\(step)\(step.isLast ? "." : "")")
      navigation.reduce(.performed(step.number))
    }
    return done
  }

  private func settled(_ screens: Screen...) -> Steps {
    var navigation = Steps(screens)
    _ = performAll(&navigation)
    return navigation
  }

  @Test("what is wanted at first is presented from the first screen on")
  func beginning() {
    var navigation = Steps([.inbox, .message(1)])
    #expect(!navigation.isSettled && navigation.shown.isEmpty)
    #expect(performAll(&navigation) == ["push #1 inbox", "push #2 message(1)."])
    #expect(navigation.isSettled && navigation.shown == navigation.wanted.entries)
    #expect(Steps([]).isSettled)
  }

  @Test("what is not wanted goes first, then screens change at their place, then others come")
  func order() throws {
    var navigation = settled(.inbox, .message(1), .message(2))
    let ids = navigation.shown.map(\.id)
    navigation.change(ids[0], to: .settings)
    #expect(performAll(&navigation) == ["change #1 inbox to settings."])
    navigation.pop(to: ids[0])
    navigation.change(ids[0], to: .inbox)
    navigation.push(.message(2))
    #expect(
      performAll(&navigation) == [
        "pop #3 message(2)", "pop #2 message(1)", "change #1 settings to inbox", "push #4 message(2).",
      ])
    #expect(navigation.isSettled)
  }

  @Test("equal screens are told apart by their identity")
  func equal() {
    var navigation = settled(.inbox, .message(7), .message(7))
    let ids = navigation.shown.map(\.id)
    navigation.remove(from: ids[1])
    navigation.push(.message(7))
    #expect(performAll(&navigation) == ["pop #3 message(7)", "pop #2 message(7)", "push #4 message(7)."])
  }

  @Test(
    "a step in progress is finished, whatever is wanted meanwhile, and the next goes to the newest target")
  func newest() {
    var navigation = settled(.inbox)
    navigation.push(.message(1))
    let step = navigation.step
    navigation.pop()
    #expect(navigation.step == step && !navigation.isSettled)
    navigation.push(.settings)
    navigation.push(.message(3))
    navigation.pop()
    #expect(navigation.step == step)
    #expect(performAll(&navigation) == ["push #2 message(1).", "pop #2 message(1)", "push #3 settings."])
  }

  @Test("the first screen stays, however often the newest is wanted to go; what wants it gone says so")
  func firstScreen() {
    var navigation = settled(.inbox, .message(1))
    let ids = navigation.shown.map(\.id)
    for _ in 0..<3 { navigation.pop() }
    #expect(performAll(&navigation) == ["pop #2 message(1)."])
    #expect(navigation.isSettled && navigation.shown.map(\.id) == [ids[0]])
    var (removed, emptied, dismissed) = (navigation, navigation, navigation)
    removed.remove(from: ids[0])
    emptied.show([])
    #expect(performAll(&removed) == ["pop #1 inbox."] && performAll(&emptied) == ["pop #1 inbox."])
    dismissed.dismissed(ids[0])
    #expect(dismissed.isSettled && dismissed.shown.isEmpty)
    var empty = Steps([])
    empty.pop()
    #expect(empty.isSettled)
  }

  @Test("a report of another step than the one in progress changes nothing")
  func late() {
    var navigation = settled(.inbox)
    let before = navigation
    navigation.reduce(.performed(1))
    navigation.reduce(.failed(7, reason: "late"))
    #expect(navigation == before)
    navigation.push(.settings)
    let asked = navigation
    navigation.reduce(.performed(1))
    navigation.reduce(.failed(1, reason: "late"))
    #expect(navigation == asked)
  }

  @Test("what has gone by itself is neither wanted nor presented again, with what was wanted above it")
  func swiped() {
    var navigation = settled(.inbox, .message(1), .message(2))
    let ids = navigation.shown.map(\.id)
    navigation.push(.settings)
    let step = navigation.step
    navigation.dismissed(ids[1])
    #expect(navigation.shown.map(\.id) == [ids[0]] && navigation.wanted.screens == [.inbox])
    #expect(navigation.step == step)  // the interface is at it
    #expect(performAll(&navigation) == ["push #4 settings.", "pop #4 settings."])
    #expect(navigation.isSettled)
  }

  @Test(
    "an entry that goes by itself while it is being removed or changed is done with, and the step is stopped")
  func swipedMeanwhile() {
    for isRemoved in [true, false] {
      var navigation = settled(.inbox, .message(1))
      let top = navigation.shown[1].id
      if isRemoved { navigation.pop() } else { navigation.change(top, to: .settings) }
      navigation.dismissed(top)
      #expect(navigation.isSettled && navigation.wanted.screens == [.inbox])
    }
  }

  @Test("an entry that goes by itself while it is being pushed was never shown, and its step is stopped")
  func swipedOnItsWay() throws {
    var navigation = settled(.inbox)
    let id = navigation.push(.message(1))
    navigation.push(.settings)
    let step = try #require(navigation.step)
    #expect(step.change.entry.id == id)
    navigation.dismissed(id)
    #expect(navigation.isSettled && navigation.wanted.screens == [.inbox])
    navigation.reduce(.performed(step.number))  // what comes late changes nothing
    #expect(navigation.isSettled)
    navigation.push(.message(2))
    #expect(performAll(&navigation) == ["push #4 message(2)."])
  }

  @Test("an entry that is pushed anew while the one before goes by itself is presented")
  func replacedMeanwhile() {
    var navigation = settled(.inbox, .message(1))
    let top = navigation.shown[1].id
    navigation.show([.inbox, .settings])
    navigation.dismissed(top)
    #expect(navigation.wanted.screens == [.inbox, .settings])
    #expect(performAll(&navigation) == ["push #3 settings."])
  }

  @Test("an entry that is not wanted any more and has gone by itself is not removed twice")
  func goneAlready() {
    var navigation = settled(.inbox, .message(1), .message(2))
    let ids = navigation.shown.map(\.id)
    navigation.pop(to: ids[0])  // the removal of the newest is in progress
    navigation.dismissed(ids[1])
    #expect(navigation.isSettled)
  }

  @Test("an interface that has moved by itself is believed, and presents nothing")
  func moved() {
    var navigation = settled(.inbox, .message(1))
    let ids = navigation.shown.map(\.id)
    navigation.moved(to: [.inbox, .settings])
    #expect(navigation.isSettled && navigation.wanted.screens == [.inbox, .settings])
    #expect(navigation.shown[0].id == ids[0] && !ids.contains(navigation.shown[1].id))
    navigation.push(.message(2))
    navigation.moved(to: [.inbox])
    #expect(performAll(&navigation) == ["push #4 message(2).", "pop #4 message(2)."])
    #expect(navigation.shown.map(\.id) == [ids[0]])
  }

  @Test("after a failure nothing is done until the reducer decides")
  func failure() throws {
    var navigation = settled(.inbox)
    navigation.push(.settings)
    let step = try #require(navigation.step)
    navigation.reduce(.failed(step.number, reason: "no window"))
    #expect(navigation.failure == .init(step: step, reason: "no window"))
    #expect(navigation.step == nil && !navigation.isSettled && navigation.shown.count == 1)

    var tried = navigation
    tried.retry()
    #expect(tried.failure == nil && tried.step?.change == step.change && tried.step != step)
    #expect(performAll(&tried) == ["push #2 settings."])

    var given = navigation
    given.giveUp()
    #expect(given.isSettled && given.failure == nil && given.wanted.screens == [.inbox])
    #expect(given.push(.settings) != navigation.wanted.top?.id)

    var other = navigation
    other.pop(to: navigation.shown[0].id)
    #expect(other.isSettled && other.failure == nil)

    var same = navigation
    same.show([.inbox, .settings])
    #expect(same.failure != nil && same.step == nil)
  }

  @Test("a step that fails when something else is wanted already is no failure, and that is tried")
  func failureOfThePast() throws {
    var navigation = settled(.inbox)
    navigation.push(.settings)
    let step = try #require(navigation.step)
    var (taken, replaced, extended) = (navigation, navigation, navigation)
    taken.pop()
    taken.reduce(.failed(step.number, reason: "no window"))
    #expect(taken.isSettled && taken.failure == nil)
    replaced.show([.inbox, .message(1)])
    replaced.reduce(.failed(step.number, reason: "no window"))
    #expect(performAll(&replaced) == ["push #3 message(1)."])
    extended.push(.message(1))  // settings is still the next step
    extended.reduce(.failed(step.number, reason: "no window"))
    #expect(extended.failure?.step == step && extended.step == nil)
  }

  @Test("a removal that failed is not wanted any more after giving up")
  func removalGivenUp() throws {
    var navigation = settled(.inbox, .settings)
    let ids = navigation.shown.map(\.id)
    navigation.pop()
    navigation.reduce(.failed(try #require(navigation.step).number, reason: "unsaved"))
    navigation.giveUp()
    #expect(navigation.isSettled && navigation.wanted.entries.map(\.id) == ids)
    navigation.giveUp()
    navigation.retry()
    #expect(navigation.isSettled)
  }

  @Test("giving up is for what has failed, and changes nothing while a step is in progress")
  func nothingToGiveUp() {
    var navigation = settled(.inbox)
    navigation.push(.settings)
    let before = navigation
    navigation.giveUp()
    #expect(navigation == before)
  }

  @Test("where an interface has moved to what it showed, its entries are the same")
  func movedBack() {
    var navigation = settled(.inbox, .message(1))
    let ids = navigation.shown.ids
    navigation.pop()
    navigation.push(.settings)
    navigation.moved(to: [.inbox, .message(1)])
    #expect(navigation.shown.ids == ids && navigation.wanted.entries.ids == ids)
  }

  @Test("an interface that was made anew after a failure is given all that is wanted")
  func resetAfterFailure() throws {
    var navigation = settled(.inbox)
    navigation.push(.settings)
    navigation.reduce(.failed(try #require(navigation.step).number, reason: "no window"))
    navigation.reset()
    #expect(performAll(&navigation) == ["push #1 inbox", "push #2 settings."])
    #expect(navigation.failure == nil)
  }

  @Test("an entry that could not be removed and goes by itself is done with")
  func goneAfterFailure() throws {
    var navigation = settled(.inbox, .settings)
    let top = navigation.shown[1].id
    navigation.pop()
    navigation.reduce(.failed(try #require(navigation.step).number, reason: "unsaved"))
    var moved = navigation
    navigation.dismissed(top)
    #expect(navigation.isSettled && navigation.failure == nil)
    moved.moved(to: [.inbox])
    #expect(moved == navigation)
  }

  @Test("an interface that was made anew is given all that is wanted")
  func reset() {
    var navigation = settled(.inbox, .settings)
    navigation.push(.message(1))
    let step = navigation.step
    navigation.reset()
    #expect(navigation.step != step && navigation.shown.isEmpty)
    #expect(
      performAll(&navigation) == ["push #1 inbox", "push #2 settings", "push #3 message(1)."])
  }

  @Test("what is wanted is kept on disk, with its identities, and presented anew")
  func restored() throws {
    var navigation = settled(.inbox, .message(1), .settings)
    navigation.pop()
    navigation.reduce(.failed(try #require(navigation.step).number, reason: "unsaved"))
    var copy = try JSONDecoder().decode(Steps.self, from: JSONEncoder().encode(navigation))
    #expect(copy.wanted == navigation.wanted && copy.shown.isEmpty && copy.failure == nil)
    #expect(performAll(&copy) == ["push #1 inbox", "push #2 message(1)."])
    #expect(copy.push(.settings) == .init(number: 4))
  }
}
