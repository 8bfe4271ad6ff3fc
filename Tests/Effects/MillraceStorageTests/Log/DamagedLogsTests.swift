import Foundation
import TestSupport
import Testing

@testable import MillraceStorage

/// Very many damaged logs, the same in every run.
@Suite struct DamagedLogsTests {
  @Test(
    "of very many damaged logs none tells what was not written, and what may be missing is told",
    arguments: 1...TestSize.count(2, full: 10))
  func damaged(part: Int) throws {
    var random = SeededGenerator(seed: UInt64(part))
    var reported = 0
    for number in 1...1000 {
      var log = try TestLog()
      var written: [Data] = []
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let payloads = (0..<Int.random(in: 1...3, using: &random)).map { _ in
          Data((0..<20).map { _ in UInt8.random(in: 1...255, using: &random) })
        }
        try log.append(payloads)
        written += payloads
      }
      let damage = Damage.allCases[number % Damage.allCases.count]
      let used = log.bytes.prefix(log.ends.last ?? 0)
      // Where the damage is one of the length, all of the file suffers it.
      let whole = damage == .truncation || damage == .appendedJunk || damage == .emptied
      var bytes = damage.inflicted(on: whole ? log.bytes : Data(used), using: &random)
      if !whole { bytes.append(Data(count: log.bytes.count - bytes.count)) }
      let (scan, payloads) = try TestLog.read(bytes)
      #expect(payloads.allSatisfy(written.contains))
      if scan.damage != nil {
        reported += 1
      } else {
        #expect(payloads == written, "\(damage)")
      }
    }
    #expect(reported > 700, "\(reported)")
  }
}
