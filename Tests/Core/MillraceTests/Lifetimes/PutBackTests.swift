import Millrace
import MillraceTesting
import Testing

@Suite("Elements of collections that are put back", .timeLimit(.minutes(10)))
struct PutBackTests {
  @Test(
    "L2: a collection is emptied or made anew, an earlier version is put back, and its elements begin anew",
    arguments: 0...3)
  func emptied(way: Int) {
    let store = CornerStore(Corner(rows: Corner.rows(0..<3)), on: .immediate)
    let begun = Recorder<Int>()
    store.connectRows { id, _ in begun.append(id) }
    let earlier = store.state.rows
    for _ in 0..<3 {
      store.change { corner in
        switch way {
        case 0: corner.rows = KeyedArray()
        case 1: corner.rows.removeAll()
        case 2: for id in 0..<3 { corner.rows.remove(id: id) }
        default: corner.rows = []
        }
      }
      store.change { $0.rows = earlier }
    }
    #expect(begun.count == 12)
    store.change { $0.rows.remove(id: 1) }
    store.change { $0.rows = earlier }
    #expect(begun.count == 13)
    store.change { $0.rows = Corner.rows(5..<6) }
    store.change { $0.rows = earlier }
    #expect(begun.count == 17)
  }
}
