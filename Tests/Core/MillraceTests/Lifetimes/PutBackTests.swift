import Millrace
import MillraceTesting
import Testing

@Suite("Elements of collections that are put back", .timeLimit(.minutes(10)))
struct PutBackTests {
  @Test("L2: a collection is emptied, an earlier version is put back, and its elements begin anew")
  func putBack() {
    let store = CornerStore(Corner(rows: Corner.rows(0..<3)), on: .immediate)
    let begun = Recorder<Int>()
    store.connectRows { id, _ in begun.append(id) }
    let earlier = store.state.rows
    for _ in 0..<3 {
      store.change { $0.rows = [] }
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

  @Test(
    "L2: elements begin anew where the collection is made anew or emptied one by one",
    arguments: [0, 1, 2])
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
        default: for id in 0..<3 { corner.rows.remove(id: id) }
        }
      }
      store.change { $0.rows = earlier }
    }
    #expect(begun.count == 12)
  }
}
