import Foundation
import Testing

@testable import MillraceEffects

@Suite struct LedgerLogTests {
  private static let records = [
    LedgerRecord(number: 0, kind: .opened),
    LedgerRecord(number: 1, kind: .begun, key: "ä", attempt: 1, version: 3, payload: Data("pay".utf8)),
    LedgerRecord(number: 2, kind: .ended, key: "ä", attempt: 1),
    LedgerRecord(number: 3, kind: .begun, key: "b", attempt: -1, version: 3, payload: Data()),
    LedgerRecord(number: 4, kind: .forgotten, key: "b", attempt: -1),
  ]
  private static let bytes = records.reduce(into: Data()) { $0 += $1.bytes }
  /// Where each record ends.
  private static let ends = records.indices.map { index in
    records[...index].map(\.bytes.count).reduce(0, +)
  }

  @Test("records are read as they were written")
  func roundTrip() {
    let log = LedgerLog(Self.bytes)
    #expect(log.records == Self.records)
    #expect(log.damage == nil && !log.isTorn && log.isRecognised)
  }

  @Test("a record that is cut short at the end of the file is dropped, and no damage")
  func torn() {
    for length in Self.ends[0]..<Self.bytes.count {
      let log = LedgerLog(Self.bytes.prefix(length))
      let whole = Self.ends.count { $0 <= length }
      #expect(log.records == Array(Self.records.prefix(whole)))
      #expect(log.damage == nil)
      #expect(log.isTorn == !Self.ends.contains(length))
    }
  }

  @Test("a file that is cut short within its first record is damaged, since no ledger ever is so short")
  func emptied() {
    for length in 0..<Self.ends[0] {
      let log = LedgerLog(Self.bytes.prefix(length))
      #expect(log.records.isEmpty && log.damage != nil)
      #expect(log.isRecognised)
    }
  }

  @Test("any single changed bit is damage, and all other records are read")
  func bitFlips() {
    for index in Self.bytes.indices {
      var bytes = Self.bytes
      bytes[index] ^= 1 << UInt8(index % 8)
      let log = LedgerLog(bytes)
      let hit = Self.ends.firstIndex { index < $0 } ?? 0
      #expect(log.damage != nil && log.isRecognised, "byte \(index)")
      #expect(log.records == Self.records.filter { $0.number != UInt64(hit) }, "byte \(index)")
    }
  }

  @Test("records that are missing, doubled or in another order are damage")
  func order() {
    for records in [[0, 2, 3], [0, 1, 1, 2], [0, 2, 1, 3], [1, 2, 3]] {
      let log = LedgerLog(records.map { Self.records[$0] }.reduce(into: Data()) { $0 += $1.bytes })
      #expect(log.damage != nil, "\(records)")
      #expect(log.records.count == records.count)
    }
  }

  @Test("a record cut out of the middle is damage, not the end of the file")
  func cutInTheMiddle() {
    var bytes = Self.bytes
    bytes.removeSubrange(Self.ends[1] - 3..<Self.ends[1])
    let log = LedgerLog(bytes)
    #expect(log.damage != nil)
    #expect(log.records == Self.records.filter { $0.number != 1 })
  }

  @Test("junk is no ledger, also with the beginning of one in it")
  func foreign() {
    #expect(!LedgerLog(Data("precious".utf8)).isRecognised)
    #expect(!LedgerLog(Data("precious MRL1 and so on, longer than a head".utf8)).isRecognised)
    #expect(LedgerLog(Data("junk".utf8) + Self.bytes).isRecognised)
  }
}
