import Foundation
import MillraceStorage
import Testing

@Suite("Events of storage can be recorded")
struct CodingTests {
  private func decoded<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  @Test("those of loading, saving and a ledger") func events() throws {
    let loads: [LoadEvent<[String]>] = [.failed(.locked("a"), of: LoadRequest(attempt: 2))]
    #expect(try decoded(loads) == loads)
    let saves: [StorageEvent] = [.saved(generation: 3), .failed(.diskFull("b"), generation: 4, attempt: 1)]
    #expect(try decoded(saves) == saves)
    let key: LedgerKey = "p-1"
    #expect(try decoded(key) == key)
  }
}
