import Foundation
import Testing

@testable import MillraceStorage

@Suite struct StorageRecordTests {
  private let record = StorageRecord(version: 3, generation: 1 << 40, payload: Data("some payload".utf8))

  @Test("a record is read as it was written")
  func roundTrip() throws {
    #expect(try StorageRecord(record.bytes) == record)
    let empty = StorageRecord(version: 0, generation: 0, payload: Data())
    #expect(try StorageRecord(empty.bytes) == empty)
    #expect(empty.bytes.count == StorageRecord.headerLength)
  }

  @Test("a record that is cut short anywhere is found out")
  func cutShort() {
    for length in 0..<record.bytes.count {
      #expect(throws: DamagedFile.Reason.self) { try StorageRecord(record.bytes.prefix(length)) }
    }
  }

  @Test("any single changed bit is found out")
  func bitFlips() {
    for index in record.bytes.indices {
      for bit in 0..<8 {
        var bytes = record.bytes
        bytes[index] ^= 1 << bit
        #expect(throws: DamagedFile.Reason.self) { try StorageRecord(bytes) }
      }
    }
  }

  @Test("what is wrong is told")
  func reasons() {
    func reason(_ bytes: Data) -> DamagedFile.Reason? {
      do throws(DamagedFile.Reason) { _ = try StorageRecord(bytes) } catch { return error }
      return nil
    }
    #expect(reason(Data()) == .wrongLength(expected: 40, found: 0))
    #expect(reason(Data(repeating: 32, count: 60)) == .notThisFormat)
    #expect(reason(record.bytes + [0]) == .wrongLength(expected: 12, found: 13))
    #expect(reason(record.bytes.dropLast() + [0]) == .wrongChecksum)
  }
}
