import Foundation
import MillraceCollections
import Testing

/// An element whose id can be changed, which is a mistake.
private struct Renamable: Identifiable, Sendable {
  var id: Int
}

@Suite("Keyed array, errors")
struct KeyedArrayErrorTests {
  @Test("two elements with one id are refused with the id and both positions", arguments: [0, 1])
  func duplicate(hashes: Int) {
    let rows = [1, 2, 3, 2].map { KeyedRow(KeyedRow.ID($0, hashes: hashes)) }
    do throws(KeyedArrayError) {
      _ = try KeyedArray(rows)
      Issue.record("was not refused")
    } catch {
      #expect(error.firstPosition == 1)
      #expect(error.secondPosition == 3)
      #expect(error.id as? KeyedRow.ID == 2)
      #expect("\(error)" == "the elements at positions 1 and 3 have the same id, 2")
    }
  }

  @Test("errors are equal where the ids and positions are") func equality() {
    func error(_ ids: [Int]) -> KeyedArrayError? {
      do throws(KeyedArrayError) {
        _ = try KeyedArray(ids.map(Renamable.init))
        return nil
      } catch { return error }
    }
    #expect(error([1, 1]) == error([1, 1]))
    #expect(error([1, 1]) != error([2, 2]))
    #expect(error([1, 1]) != error([1, 3, 1]))
    #expect(error([1, 2]) == nil)
  }

  @Test("coding gives an array and takes one back") func coding() throws {
    let rows: KeyedArray = [KeyedRow(3), KeyedRow(1, 4), KeyedRow(2)]
    let data = try JSONEncoder().encode(rows)
    #expect(try JSONDecoder().decode([KeyedRow].self, from: data) == Array(rows))
    #expect(try JSONDecoder().decode(KeyedArray<KeyedRow>.self, from: data) == rows)
  }

  @Test("decoding two elements with one id names the id and where it is") func decodingDuplicate() throws {
    let data = try JSONEncoder().encode(["rows": [KeyedRow(3), KeyedRow(3)]])
    do {
      _ = try JSONDecoder().decode([String: KeyedArray<KeyedRow>].self, from: data)
      Issue.record("was not refused")
    } catch DecodingError.dataCorrupted(let context) {
      #expect(context.debugDescription == "the elements at positions 0 and 1 have the same id, 3")
      #expect(context.codingPath.map(\.stringValue) == ["rows"])
      #expect(context.underlyingError is KeyedArrayError)
    }
  }

  // MARK: Mistakes of the program

  // Tests whose process ends: Apple's mobile systems start no other.
  #if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  private func expectTrap(_ result: ExitTest.Result?, _ message: String, line: Int) {
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("KeyedArrayErrorTests.swift:\(line): Fatal error: \(message)"), "\(output)")
  }

  @Test("an id changed in place is reported with both ids, where it was done") func changedID() async {
    let mutate = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var elements: KeyedArray = [Renamable(id: 1)]
      elements.mutate(id: 1) { $0.id = 2 }
    }
    expectTrap(mutate, "the element with the id 1 of a KeyedArray was given the id 2", line: #line - 4)

    let modify = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var elements: KeyedArray = [Renamable(id: 1)]
      elements[id: 1]?.id = 2
    }
    expectTrap(modify, "the element with the id 1 of a KeyedArray was given the id 2", line: #line - 4)

    let each = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var elements: KeyedArray = [Renamable(id: 1)]
      elements.mutateEach { $0.id = 2 }
    }
    expectTrap(each, "the element with the id 1 of a KeyedArray was given the id 2", line: #line - 4)

    let assign = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var elements: KeyedArray = [Renamable(id: 1)]
      elements[id: 3] = Renamable(id: 2)
    }
    expectTrap(assign, "the element with the id 3 of a KeyedArray was given the id 2", line: #line - 4)
  }

  @Test("two elements that were said to be unique are reported where it was said") func notUnique() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = KeyedArray(uniqueElements: [Renamable(id: 1), Renamable(id: 1)])
    }
    expectTrap(result, "the elements at positions 0 and 1 have the same id, 1", line: #line - 3)
  }

  @Test("a position outside is reported where it was given") func outside() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var elements: KeyedArray = [Renamable(id: 1)]
      elements.insert(Renamable(id: 2), at: 2)
    }
    expectTrap(result, "position 2 is not in a KeyedArray of 1 elements", line: #line - 4)
  }
  #endif
}
