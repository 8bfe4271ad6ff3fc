import Foundation
import Testing

@testable import MillraceEffects

/// Ten thousand damaged ledgers, the same in every run.
@Suite struct DamagedLedgersTests {
  @Test(
    "of 10,000 damaged ledgers none tells of work that was not begun, and what may be missing is told",
    arguments: 1...10)
  func damaged(part: Int) throws {
    var random = SeededGenerator(seed: UInt64(part))
    var told = 0
    for number in 1...1000 {
      let records = records(using: &random)
      let bytes = records.reduce(into: Data()) { $0 += $1.bytes }
      let damage = Damage.allCases[number % Damage.allCases.count]
      let damagedBytes = damage.inflicted(on: bytes, using: &random)
      let log = LedgerLog(damagedBytes)
      if log.damage != nil {
        told += 1
      } else {
        // Then it is whole, or its end is missing, which is how a writer may have left it.
        #expect(bytes.starts(with: damagedBytes))
        #expect(log.records == Array(records.prefix(log.records.count)))
        #expect(log.isTorn || damagedBytes == log.records.reduce(into: Data()) { $0 += $1.bytes })
      }
      for record in log.records { #expect(records.contains(record)) }
    }
    #expect(told > 600)
  }

  /// What a ledger may say.
  private func records(using random: inout SeededGenerator) -> [LedgerRecord] {
    var records = [LedgerRecord(number: 0, kind: .opened)]
    for number in 1...Int.random(in: 1...8, using: &random) {
      let kind = [LedgerRecord.Kind.begun, .ended, .forgotten].randomElement(using: &random) ?? .begun
      let payload = (0..<(kind == .begun ? 20 : 0)).map { _ in UInt8.random(in: 0...255, using: &random) }
      records.append(
        LedgerRecord(
          number: UInt64(number), kind: kind, key: "k\(Int.random(in: 1...4, using: &random))",
          attempt: Int.random(in: 1...3, using: &random), version: 1, payload: Data(payload)))
    }
    return records
  }
}
