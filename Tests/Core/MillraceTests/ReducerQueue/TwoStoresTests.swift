import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("A turn that waits for another store", .timeLimit(.minutes(10)))
struct TwoStoresTests {
  private let reports = Recorder<StoreDiagnostic>()
  private let isPositive = { @Sendable (count: Int) in count > 0 }
  private static let positive = { @Sendable (count: Int) in count > 0 ? count : nil }

  private func makeStore(_ name: String) -> Store<Int, Int> {
    let options = StoreOptions(
      name: name, diagnostics: .mistakes { [reports] in reports.append($0) })
    return Store(initialState: 0, options: options) { $0 += $1 }
  }

  #if DEBUG
  enum Wait: CaseIterable { case reading, ending, dispatching }

  @Test("the closure of a lifetime that waits for another store is reported", arguments: Wait.allCases)
  func waiting(wait: Wait) async throws {
    let (first, second) = (makeStore("first"), makeStore("second"))
    let connection = second.connect(while: isPositive) { _ in }
    first.connect(while: isPositive) { _ in
      switch wait {
      case .reading: _ = second.state
      case .ending: connection.disconnect()
      case .dispatching: second.dispatchAndWait(1)
      }
    }
    await first.send(1)
    let report = try #require(try await reports.values(atLeast: 1).first)
    #expect(report.kind == .waitForAnotherStore)
    #expect(report.message.hasPrefix("second was waited for inside a turn of another store"))
    #expect(second.state == (wait == .dispatching ? 1 : 0))
  }
  #endif

  @Test("what a turn leads to may wait for another store: not reported") func afterwards() async throws {
    let (first, second) = (makeStore("first"), makeStore("second"))
    first.connect(when: Self.positive) { (_: Int, _) in _ = second.state }
    first.connect(ClosureComponent<Int> { _ in _ = second.state })
    first.connect(while: isPositive) { _ in second.dispatch(1) }
    await first.send(1)
    await first.settled()
    await second.settled()
    #expect(second.state == 1)
    #expect(reports.values.isEmpty)
  }
}
