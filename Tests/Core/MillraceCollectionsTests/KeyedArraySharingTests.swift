import MillraceCollections
import TestSupport
import Testing

@Suite("Keyed array, shared among tasks")
struct KeyedArraySharingTests {
  @Test("tasks that share a version each change their own and see nothing of the others'")
  func sharing() async {
    let shared = KeyedArray(uniqueElements: (0..<2_000).map { KeyedRow(KeyedRow.ID($0), $0) })
    await withTaskGroup(of: KeyedArray<KeyedRow>.self) { group in
      for task in 0..<8 {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(task))
          var mine = shared
          var held = [mine]
          for step in 0..<400 {
            let id = KeyedRow.ID(Int.random(in: 0..<2_000, using: &random))
            switch step % 4 {
            case 0: mine[id: id]?.value = -task
            case 1: mine.move(id: id, to: Int.random(in: 0..<mine.count, using: &random))
            case 2: mine.insert(mine.remove(id: id)!, at: mine.count / 2)
            default: held = [held.last!, mine]
            }
          }
          mine.forEachChange(since: shared) { change in
            guard case .updated(_, let row) = change, row.value == -task else {
              Issue.record("\(change) was not made by this task")
              return
            }
          }
          return mine
        }
      }
      for await theirs in group { #expect(theirs.count == 2_000) }
    }
    #expect(shared.map(\.value) == Array(0..<2_000))
  }

  @Test("a version handed from task to task is changed by each in turn") func handing() async {
    var elements = KeyedArray(uniqueElements: (0..<500).map { KeyedRow(KeyedRow.ID($0)) })
    for round in 1...40 {
      let (handed, held) = (elements, elements)
      async let changed = Task.detached {
        var mine = handed
        for id in stride(from: round, to: 500, by: 7) { mine[id: KeyedRow.ID(id)]?.value = round }
        return mine
      }.value
      async let sum = Task.detached { held.reduce(0) { $0 + $1.value } }.value
      _ = await sum
      elements = await changed
    }
    #expect(elements[id: 40]?.value == 40)
  }
}
