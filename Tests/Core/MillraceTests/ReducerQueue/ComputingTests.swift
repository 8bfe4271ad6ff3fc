import Foundation
import Millrace
import MillraceTesting
import TestSupport
import Testing

/// Bodies and updates that compute on every core until the test says that it is enough.
private final class Computing: Sendable {
  static let cores = ProcessInfo.processInfo.activeProcessorCount
  private let isEnough = Lock(false)
  private let begun = Signal()

  /// Computes on the calling thread; a broken promise must not do so for ever.
  func compute() {
    begun.give()
    let end = Date(timeIntervalSinceNow: 600)
    var number: UInt64 = 1
    // Looks seldom: threads that wait for each other's lock do not count as computing.
    while !isEnough.withLock({ $0 }), Date() < end {
      for step: UInt64 in 0..<1_000_000 { number = number &* 6_364_136_223_846_793_005 &+ step }
    }
    withExtendedLifetime(number) {}
  }

  func enough() { isEnough.withLock { $0 = true } }

  /// On a thread of the test's own: the others are taken.
  func wait(for count: Int) { for _ in 0..<count { begun.wait() } }
}

@Suite("Bodies and updates that compute on every core", .blocksThreads, .timeLimit(.minutes(30)))
struct ComputingTests {
  private let reduced = Signal()
  private let computing = Computing()

  private func makeStore() -> BoardStore {
    BoardStore(initialState: Board()) { [reduced] board, action in
      Board.reduce(&board, action)
      if action == .report("next") { reduced.give() }
    }
  }

  /// Dispatches while every core computes, and lets it end after the reduction.
  private func isReducedMeanwhile(_ store: BoardStore) async -> Bool {
    await onThread { [reduced, computing] in
      computing.wait(for: Computing.cores)
      defer { computing.enough() }
      for _ in 0..<3 {
        store.dispatch(.report("next"))
        if !reduced.wait() { return false }
      }
      return store.state.log.count == 3
    }
  }

  @Test(
    "L5: as many bodies or updates as there are cores compute, and actions are reduced",
    arguments: [true, false])
  func computed(byBodies: Bool) async {
    let store = makeStore()
    if byBodies {
      store.connect(JobEffect { [computing] _, _ in computing.compute() })
      store.dispatch(.askOnly(Set((0..<Computing.cores).map { Job("\($0)") })))
    } else {
      for _ in 0..<Computing.cores {
        store.connect(ClosureComponent<Int> { [computing] _ in computing.compute() }, to: \.count)
      }
    }
    #expect(await isReducedMeanwhile(store))
    await store.settled()
  }

  @Test("L5: bodies that block their threads hold up no reduction")
  func blocked() async {
    let store = makeStore()
    let (release, entered) = (Signal(patience: .seconds(600)), Signal())
    store.connect(
      JobEffect { _, _ in
        entered.give()
        release.wait()
      })
    store.dispatch(.askOnly(Set((0..<Computing.cores).map { Job("\($0)") })))
    let isReduced = await onThread { [reduced] in
      for _ in 0..<Computing.cores { entered.wait() }
      store.dispatch(.report("next"))
      defer { for _ in 0..<Computing.cores { release.give() } }
      return reduced.wait() && store.state.log == ["next"]
    }
    #expect(isReduced)
    await store.settled()
  }

  @Test("L5: dispatchAndWait() and disconnect() on a thread of their own go on while every core computes")
  func waiting() async {
    let store = makeStore()
    let connection = store.connect(JobEffect { [computing] _, _ in computing.compute() })
    store.dispatch(.askOnly(Set((0..<Computing.cores).map { Job("\($0)") })))
    let went = Recorder<Int>()
    await onThread { [computing] in
      computing.wait(for: Computing.cores)
      store.dispatchAndWait(.add(1))
      went.append(store.state.count)
      connection.disconnect()
      computing.enough()
    }
    #expect(went.values == [1])
    await store.settled()
  }
}
