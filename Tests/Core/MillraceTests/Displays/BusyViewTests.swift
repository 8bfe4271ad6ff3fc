import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("Views that change all the time", .timeLimit(.minutes(10)))
struct BusyViewTests {
  /// Has a slice changed at every update, so that some view is due again at once.
  @MainActor private final class RestlessView: ViewComponent {
    private let updated: @MainActor (Int) -> Void
    var props = 0 { didSet { updated(props) } }
    init(_ updated: @escaping @MainActor (Int) -> Void) { self.updated = updated }
  }

  @Test("L5: the main actor serves others between passes over the views", arguments: Queue.allCases, [1, 20])
  @MainActor func others(queue: Queue, count: Int) async throws {
    struct Numbers: Equatable, Sendable { var numbers: [Int] }
    let store = Store(
      initialState: Numbers(numbers: Array(repeating: 0, count: count)), on: queue.queue,
      reduce: { (state: inout Numbers, index: Int) in state.numbers[index] += 1 })
    var updates = 0
    let isOver = Late<Bool>()
    let meanwhile = Recorder<Int>()
    var views: [RestlessView] = []
    for index in 0..<count {
      let view = RestlessView { _ in
        updates += 1
        if isOver.value == true { return }
        // Once all have been shown, somebody else wants the main actor.
        if updates == 2 * count {
          let before = updates
          Task { @MainActor in meanwhile.append(updates - before) }
        }
        if updates < 4_000 { store.dispatchAndWait((index + 1) % count) }
      }
      views.append(view)
      store.connect(view, props: { $0.numbers[index] })
    }
    for index in 0..<count { store.dispatch(index) }
    #expect(try await inTime { try await meanwhile.values(atLeast: 1) }[0] <= 8 * count + 64)
    isOver.value = true
    try await inTime { await store.settled() }
    withExtendedLifetime(views) {}
  }
}
