import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

@testable import booking

private typealias Step = Navigation<Screen>.Step
private typealias Entry = Navigation<Screen>.Entry

@Suite("The booking's window", .timeLimit(.minutes(10))) struct WindowTests {
  private let clock = TestClock()
  private let lines = Recorder<String>()
  private let window: Window
  private let trips = Entry(id: .init(number: 1), screen: .trips)
  private let trip = Entry(id: .init(number: 2), screen: .trip(7))

  init() {
    window = Window(clock: clock) { [lines] in $0.forEach(lines.append) }
  }

  /// Begins a step, and returns when the screen slides.
  private func begin(_ change: Step.Change) async throws -> Task<Void, Never> {
    let task = Task { [window] in await window.perform(Step(number: 1, change: change, isLast: true)) }
    try await clock.sleepers(atLeast: 1)
    return task
  }

  private func push(_ entries: Entry...) async {
    for entry in entries { await window.perform(Step(number: 1, change: .push(entry), isLast: false)) }
  }

  @Test("a step takes its time; one that another follows takes none")
  func slides() async throws {
    await push(trips)
    let task = try await begin(.push(trip))
    #expect(clock.sleepers.map(\.deadline) == [clock.now.advanced(by: .milliseconds(300))])
    clock.advance(by: .milliseconds(300))
    await task.value
    #expect(await window.stack == [trips, trip])
    #expect(lines.values == ["  Trips slides in", "  Trip 7 slides in"])
    let change = try await begin(.change(trip, to: .tickets))
    #expect(await window.stack == [trips, trip])
    clock.advance(by: .milliseconds(300))
    await change.value
    #expect(await window.stack.map(\.screen) == [.trips, .tickets])
  }

  @Test("a step that is stopped leaves the screens as they were", arguments: ["push", "pop", "change"])
  func stopped(kind: String) async throws {
    await push(trips, trip)
    let other = Entry(id: .init(number: 3), screen: .tickets)
    let task = try await begin(
      kind == "push" ? .push(other) : kind == "pop" ? .pop(trip) : .change(trip, to: .tickets))
    task.cancel()
    await task.value
    #expect(await window.stack == [trips, trip])
  }

  @Test(
    "a swipe takes the newest screen away at once, while it slides in, out or into another", arguments: 0..<3)
  func swiped(kind: Int) async throws {
    await push(trips)
    if kind > 0 { await push(trip) }
    let task = try await begin([.push(trip), .pop(trip), .change(trip, to: .tickets)][kind])
    #expect(await window.swipeBack() == trip.id)
    #expect(await window.stack == [trips])
    task.cancel()
    await task.value
    #expect(await window.stack == [trips])
    #expect(lines.values.last == "  Trip 7 is swiped away")
  }

  @Test("a swipe does not disturb a step of another screen")
  func others() async throws {
    await push(trips, trip)
    let task = try await begin(.change(trips, to: .tickets))
    #expect(await window.swipeBack() == trip.id)
    clock.advance(by: .milliseconds(300))
    await task.value
    #expect(await window.stack.map(\.screen) == [.tickets])
  }

  @Test("the first screen stays, and a screen that has gone is not removed again")
  func nothingBehind() async {
    await push(trips)
    #expect(await window.swipeBack() == nil)
    await window.perform(Step(number: 2, change: .pop(trip), isLast: false))
    #expect(await window.stack == [trips] && lines.values == ["  Trips slides in"])
  }

  @Test("the window shows one picture after each action of the user, once nothing slides")
  func pictures() async {
    await push(trips)
    var booking = Booking()
    await window.update(Content(booking))
    #expect(lines.values.count == 1)  // the step alone
    booking.navigation.reduce(.performed(1))
    await window.update(Content(booking))
    #expect(lines.values.dropFirst().first == "Trips")
    let count = lines.values.count
    await window.update(Content(booking))
    #expect(lines.values.count == count)
    booking.inputCount = 1
    await window.update(Content(booking))
    #expect(lines.values.count == 2 * count - 1)
  }
}
