import MillraceCollections
import TestSupport
import Testing

/// An element that tells whether anybody holds a copy of it.
private struct Tracked: Identifiable, Sendable {
  final class Marker: Sendable {}
  let id: Int
  var marker = Marker()
  var value = 0
  var isOnlyCopy: Bool { mutating get { isKnownUniquelyReferenced(&marker) } }
}

/// 32 KiB of plain memory.
private struct Large: Identifiable, Equatable, Sendable {
  struct Two<Half: Equatable & Sendable>: Equatable, Sendable { var first, second: Half }
  typealias Bytes256 = Two<Two<Two<Two<Two<Int>>>>>
  typealias Bytes8192 = Two<Two<Two<Two<Two<Bytes256>>>>>
  typealias Bytes32768 = Two<Two<Bytes8192>>

  let id: Int
  var number = 0
  var bytes: Bytes32768 = large
  private static let large: Bytes32768 = {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: 32_768, alignment: 8)
    defer { bytes.deallocate() }
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: 32_768)
    return bytes.load(as: Bytes32768.self)
  }()
}

@Suite("Keyed array, changes in place")
struct KeyedArrayInPlaceTests {
  private let fresh = { KeyedArray(uniqueElements: (0..<1_000).map { Tracked(id: $0) }) }

  @Test("with no version held, an element is changed without a copy") func inPlace() {
    var elements = fresh()
    for id in [0, 500, 999] {
      let (mutated, accessed) = (elements.mutate(id: id) { $0.isOnlyCopy }, elements[id: id]?.isOnlyCopy)
      #expect(mutated == true)
      #expect(accessed == true)
    }
    elements.mutateEach { if !$0.isOnlyCopy { Issue.record("\($0.id) was copied") } }
  }

  @Test("with a version held, the element is copied once, and the others are not") func pathCopying() {
    var elements = fresh()
    let held = elements
    let first = elements.mutate(id: 500) { $0.isOnlyCopy }
    elements.mutate(id: 500) { $0.marker = Tracked.Marker() }
    let second = elements.mutate(id: 500) { $0.isOnlyCopy }
    #expect(first == false)
    #expect(second == true)
    var touched: [Int] = []
    elements.forEachPossibleChange(since: held) { change in
      if case .touched(_, let element) = change { touched.append(element.pointee.id) }
    }
    #expect(touched == [500])
  }

  @Test("moving, sorting and inserting copies no element") func structure() {
    var elements = fresh()
    let held = elements
    elements.move(id: 3, to: 700)
    elements.reverse()
    elements.sort { $0.id % 7 < $1.id % 7 }
    elements.insert(Tracked(id: -1), at: 500)
    elements.remove(id: 5)
    var changes = 0
    elements.forEachPossibleChange(since: held) { _ in changes += 1 }
    #expect(changes == 2)
    #expect(held.count == 1_000)
  }

  @Test("an access that ends by an error leaves the element in its place") func accessEndingByError() {
    struct Refusal: Error {}
    func refuse(_ element: inout Tracked) throws {
      element.value = 7
      throw Refusal()
    }
    func refuse(_ element: inout Tracked?) throws {
      element = nil
      throw Refusal()
    }
    var elements = fresh()
    #expect(throws: Refusal.self) { try refuse(&elements[id: 3]!) }
    #expect(elements[id: 3]?.value == 7)
    #expect(throws: Refusal.self) { try refuse(&elements[id: 4]) }
    #expect(elements[id: 4] == nil)
    #expect(throws: Refusal.self) {
      try elements.mutate(id: 5) { element in
        element.value = 8
        throw Refusal()
      }
    }
    #expect(elements[id: 5]?.value == 8)
    #expect(elements.count == 999)
  }

  @Test("elements of 32 KiB are handled on a stack of 512 KiB") func largeElements() async {
    // Each operation in a function of its own: a debug build gives every temporary of a function its own
    // memory.
    let operations: [@Sendable (inout KeyedArray<Large>) -> Void] = [
      { elements in for id in 0..<40 { elements.append(Large(id: id)) } },
      { elements in elements.mutate(id: 7) { $0.number = 1 } },
      { elements in elements[id: 8]?.number = 2 },
      { elements in elements.updateOrAppend(Large(id: 9)) },
      { elements in elements[id: 9] = Large(id: 9, number: 3) },
      { elements in elements.move(id: 10, to: 0) },
      { elements in elements.sort { $0.id > $1.id } },
      { elements in elements.remove(id: 11) },
      { elements in elements.removeAll { $0.id == 12 } },
      { elements in elements.mutateEach { if $0.id == 13 { $0.number = 1 } } },
      { elements in for element in elements where element.number == 3 { elements.remove(id: element.id) } },
    ]
    await onThread(stackSize: 512 * 1024) {
      var elements = KeyedArray<Large>()
      for operation in operations {
        let held = elements
        operation(&elements)
        var changes = 0
        elements.forEachPossibleChange(since: held) { _ in changes += 1 }
        #expect(changes > 0 || !elements.isOrderEqual(to: held))
      }
      #expect(elements.withElement(id: 8) { $0.pointee.number } == 2)
      #expect(elements[id: 9]?.number == nil)
      #expect(elements.index(id: 8) == 28)
    }
  }

  @Test("100,000 elements are destroyed on a stack of 512 KiB") func destruction() async {
    await onThread(stackSize: 512 * 1024) {
      var elements = KeyedArray(uniqueElements: (0..<100_000).map { KeyedRow(KeyedRow.ID($0)) })
      let held = elements
      elements.reverse()
      elements.removeAll()
      #expect(elements.isEmpty)
      #expect(held.count == 100_000)
    }
  }
}
