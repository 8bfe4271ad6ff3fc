import Millrace
import MillraceTestStore
import Testing

@testable import MillraceFaults

@Suite struct RunScriptsTests {
  private let site = CallSite(fileID: #fileID, line: #line)

  private func actions(_ scripts: RunScripts, _ key: RunKey) -> [Int]? {
    scripts.newest[key].map { $0.actions.compactMap { $0 as? Int } }
  }

  @Test func theNewestRunOfARequestCounts() async {
    let keys = await RunKey.ofRuns(2)
    var scripts = RunScripts()
    scripts.asked(1, as: keys[0])
    scripts.sent(1, by: 1, at: site)
    scripts.sent(2, by: 1, at: site)
    #expect(actions(scripts, keys[0]) == [1, 2] && actions(scripts, keys[1]) == nil)
    scripts.asked(2, as: keys[0])
    #expect(actions(scripts, keys[0]) == [])
    scripts.sent(3, by: 2, at: site)
    scripts.sent(4, by: 3, at: site)  // of a run that has not begun
    #expect(actions(scripts, keys[0]) == [3])
  }

  @Test func whatARunDidForARequestIsKeptWhenAnotherIsHandedOver() async {
    let keys = await RunKey.ofRuns(2)
    var scripts = RunScripts()
    scripts.asked(1, as: keys[0])
    scripts.sent(1, by: 1, at: site)
    scripts.asked(1, as: keys[1])
    scripts.sent(2, by: 1, at: site)
    #expect(actions(scripts, keys[0]) == [1] && actions(scripts, keys[1]) == [2])
    scripts.asked(1, as: keys[0])
    #expect(actions(scripts, keys[0]) == [] && actions(scripts, keys[1]) == [2])
  }

  @Test func howARunEndedAndThatItsBodyWasExecutedIsKept() async {
    let keys = await RunKey.ofRuns(2)
    var scripts = RunScripts()
    scripts.asked(1, as: keys[0])
    scripts.asked(2, as: keys[1])
    scripts.ended(1, .returns, at: site)
    scripts.executed(2)
    let newest = scripts.newest
    if case .returns? = newest[keys[0]]?.end {} else { Issue.record("it has returned") }
    #expect(newest[keys[0]]?.site == site && newest[keys[0]]?.isExecuted == false)
    #expect(newest[keys[1]]?.site == nil && newest[keys[1]]?.isExecuted == true)
  }
}

extension RunKey {
  /// Keys of the runs of as many requests.
  static func ofRuns(_ count: Int) async -> [RunKey] {
    let store = TestStore<Int, Int>(
      initialState: 0, reduce: { _, _ in },
      connect: { store in store.connect(when: { _ in Set(0..<count) }, named: "post") { _, _ in } })
    store.exhaustivity = .none
    let keys = store.session.heldRuns.map { RunKey($0, serving: $0.request) }
    await store.finish()
    return keys.sorted { $0.text < $1.text }
  }
}
