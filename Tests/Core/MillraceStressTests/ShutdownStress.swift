import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("Stress: the last props")
struct ShutdownStress {
  private static let rounds = TestSize.count(200, full: 20_000)

  private struct Page: Equatable, Sendable {
    var number = 0
    var sheet: Sheet? = Sheet(id: 0)
    var rows: KeyedArray<Sheet> = [Sheet(id: 0), Sheet(id: 1)]
    var hasSheet: Bool { sheet != nil }
  }

  private struct Sheet: Identifiable, Equatable, Sendable {
    let id: Int
    var number = 0
    var isShown: Bool { number >= 0 }
  }

  private static func reduce(_ page: inout Page, _ number: Int) {
    page.number = number
    page.sheet?.number = number
    for id in 0..<2 { page.rows[id: id]?.number = number }
  }

  private static func unchanged(_ number: Int) -> Int { number }
  private static func unchanged(_ id: Int, _ number: Int) -> Int { number }

  @Test("L3: an action and a shutdown at once: nobody misses the last props, beneath lifetimes, too")
  func lastProps() async {
    var missed: [String: Int] = [:]
    for round in 0..<Self.rounds {
      let queue = round.isMultiple(of: 8) ? ReducerQueue.immediate : .serial()
      let store = Store(initialState: Page(), on: queue, reduce: Self.reduce)
      let shown = ["directly", "each", "present", "while", "nested"].map { ($0, RecordingComponent<Int>()) }
      let components = shown.map(\.1)
      store.connect(components[0], to: \.number)
      store.connectEach(\.rows, action: Self.unchanged) { id, row in
        if id == 1 { row.connect(components[1], to: \.number) }
      }
      store.connectIfPresent(\.sheet, action: Self.unchanged) {
        $0.connect(components[2], to: \.number)
      }
      store.connect(while: \.hasSheet) { $0.connect(components[3], to: \.number) }
      store.connect(while: \.hasSheet) { page in
        page.connectEach(\.rows, action: Self.unchanged) { id, row in
          row.connect(while: \.isShown) { if id == 0 { $0.connect(components[4], to: \.number) } }
        }
      }
      store.dispatch(7)
      #expect(await store.shutdown().isClean)
      for (name, component) in shown where component.finished.values.last != 7 {
        missed[name, default: 0] += 1
      }
    }
    #expect(missed == [:])
  }
}
