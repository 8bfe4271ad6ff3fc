import Millrace
import MillraceTesting
import TestSupport
import Testing

/// The store of a test settles once what its turns have decided is performed, by whatever thread.
@Suite struct ParkedTests {
  /// Stays where the first run begins, on the thread that has made the turn.
  private final class StayingHolder: RunHolder {
    let begun = Recorder<Int>()
    private let goOn = Signal()

    func connected(_ connection: ConnectionIdentity, _ effect: any Sendable) {}

    func begun(_ run: HeldRun) {
      begun.append(run.request as? Int ?? 0)
      if begun.count == 1 { goOn.wait() }
    }

    func stopped(_ run: HeldRun) { run.finish() }

    func letGo() { goOn.give() }
  }

  /// A clock on which no time is to pass: a wait that is limited on it ends at once, unless it is over already.
  private func isSettled(_ store: Store<Set<Int>, Set<Int>>) async -> Bool {
    await store.settled(within: .seconds(1), clock: ImmediateClock())
  }

  @Test func longRunningRunsHaveBegunOnceAStoreHasSettled() async throws {
    let holder = StayingHolder()
    var options = StoreOptions()
    options.seams.holder = holder
    options.seams.settlesWhenParked = true
    let store = Store<Set<Int>, Set<Int>>(initialState: [], on: .immediate, options: options) { $0 = $1 }
    store.connect(when: \.self, longRunning: true) { _, _ in }
    #expect(await isSettled(store))
    async let sent: Void = onOwnThread { store.dispatch([1, 2]) }
    try await holder.begun.values(atLeast: 1)
    store.dispatch([1, 2])  // this thread makes a turn while the other performs what its turn has decided
    #expect(!(await isSettled(store)))
    async let settled: Void = store.settled()
    holder.letGo()
    await settled
    #expect(holder.begun.count == 2)
    try await sent
    #expect(await isSettled(store))
  }
}
