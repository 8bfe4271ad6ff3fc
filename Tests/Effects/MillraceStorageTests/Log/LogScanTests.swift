import Foundation
import Testing

@testable import MillraceStorage

@Suite struct LogScanTests {
  private let log: TestLog
  private let batches: [[Data]]

  init() throws {
    var log = try TestLog()
    batches = [
      [Data("one".utf8)], [Data("two".utf8), Data("three".utf8), Data()], [Data(repeating: 7, count: 700)],
      [Data("last".utf8)],
    ]
    for batch in batches { try log.append(batch) }
    self.log = log
  }

  private func payloads(upTo end: Int) -> [Data] {
    Array(batches[..<(log.ends.filter { $0 <= end }.count - 1)].joined())
  }

  @Test("batches are read as they were written")
  func roundTrip() throws {
    let (scan, payloads) = try TestLog.read(log.bytes)
    #expect(payloads == Array(batches.joined()))
    #expect(scan.damage == nil && !scan.isTorn && scan.isRecognised)
    #expect(Int(scan.end) == log.ends.last && scan.usedEnd == scan.end)
    #expect(scan.number == 7 && Int(scan.reserved) == log.bytes.count)
  }

  @Test("a file that is cut anywhere is damaged, and what is left of it is read")
  func cut() throws {
    for length in 0..<log.bytes.count {
      let (scan, payloads) = try TestLog.read(log.bytes.prefix(length))
      #expect(scan.isRecognised, "\(length)")
      if length < log.ends[0] {
        #expect(scan.damage != nil && payloads.isEmpty, "\(length)")
      } else {
        #expect(scan.damage == .wrongLength(expected: log.bytes.count, found: length), "\(length)")
        #expect(Array(batches.joined()).starts(with: payloads))
        #expect(payloads.count >= self.payloads(upTo: length).count)
      }
    }
  }

  @Test("a batch that is written in part is dropped as a whole, and no damage", arguments: 0...3)
  func torn(batch: Int) throws {
    for end in log.ends[batch]..<log.ends[batch + 1] {
      var bytes = log.bytes
      bytes.resetBytes(in: end..<bytes.count)
      let (scan, payloads) = try TestLog.read(bytes)
      #expect(scan.damage == nil, "\(end)")
      // Of the last byte of a record, nothing depends.
      let isWhole = end == log.ends[batch + 1] - 1
      #expect(payloads == self.payloads(upTo: log.ends[isWhole ? batch + 1 : batch]), "\(end)")
      #expect(Int(scan.end) == log.ends[isWhole ? batch + 1 : batch])
      #expect(scan.isTorn == (end > log.ends[batch] && !isWhole), "\(end)")
      // What is left of it is wiped before the next batch is written.
      #expect(bytes.dropFirst(Int(scan.usedEnd)).allSatisfy { $0 == 0 })
    }
  }

  @Test("a sector that is missing in the last batch, which nobody was told to be written, is no damage")
  func missingSector() throws {
    var log = self.log
    let large = (0..<6).map { Data(repeating: UInt8($0 + 1), count: 700) }
    try log.append(large)
    let (start, end) = (log.ends[4], log.ends[5])
    for sector in start / 512...(end - 1) / 512 {
      var bytes = log.bytes
      bytes.resetBytes(in: max(start, sector * 512)..<min(end, (sector + 1) * 512))
      let (scan, payloads) = try TestLog.read(bytes)
      #expect(scan.damage == nil && scan.isTorn, "\(sector)")
      #expect(payloads == Array(batches.joined()), "\(sector)")
      #expect(Int(scan.end) == start && Int(scan.usedEnd) > start)
    }
  }

  @Test("a sector that is missing before a batch that was written later is damage")
  func missingSectorBefore() throws {
    for sector in 0..<(log.ends[3] - 1) / 512 {
      var bytes = log.bytes
      bytes.resetBytes(in: sector * 512..<(sector + 1) * 512)
      let (scan, payloads) = try TestLog.read(bytes)
      #expect(scan.damage != nil && scan.isRecognised, "\(sector)")
      #expect(payloads.last == Data("last".utf8))
    }
  }

  @Test("any single changed bit is damage, and all other records are read")
  func bitFlips() throws {
    let last = try #require(log.ends.last)
    for index in 0..<last {
      for bit in [UInt8(0), 3, 7] {
        var bytes = log.bytes
        bytes[index] ^= 1 << bit
        let (scan, payloads) = try TestLog.read(bytes)
        #expect(scan.damage != nil && scan.isRecognised, "byte \(index)")
        let all = Array(batches.joined())
        #expect(payloads.count >= all.count - 1 && payloads.allSatisfy(all.contains), "byte \(index)")
      }
    }
  }

  @Test("something behind the end that no log has written is damage")
  func junkBehind() throws {
    for offset in [0, 1, 50, 400] {
      var bytes = log.bytes
      let end = try #require(log.ends.last)
      for index in 0..<120 { bytes[end + offset + index] = 0xaa }
      let (scan, payloads) = try TestLog.read(bytes)
      #expect(scan.damage != nil || scan.isTorn)
      #expect(payloads == Array(batches.joined()))
    }
  }

  @Test("batches that are missing, doubled or in another order are damage")
  func order() throws {
    let parts = zip([0] + log.ends, log.ends).map { log.bytes[$0..<$1] }
    for order in [[0, 2, 3], [0, 1, 1, 2], [0, 2, 1, 3], [1, 2, 3], [0, 1, 2, 4]] {
      var bytes = order.reduce(into: Data()) { $0 += parts[$1] }
      bytes.append(Data(count: log.bytes.count - bytes.count))
      #expect(try TestLog.read(bytes).scan.damage != nil, "\(order)")
    }
  }

  @Test("a record cut out of the middle is damage, not the end of the file")
  func cutInTheMiddle() throws {
    var bytes = log.bytes
    bytes.removeSubrange(log.ends[1] - 3..<log.ends[1])
    let (scan, payloads) = try TestLog.read(bytes)
    #expect(scan.damage != nil)
    #expect(payloads == Array(batches.dropFirst().joined()))
  }

  @Test("junk is no log, also with the beginning of one in it")
  func foreign() throws {
    #expect(try !TestLog.read(Data("precious".utf8)).scan.isRecognised)
    #expect(try !TestLog.read(Data("precious TEST and so on, longer than a head".utf8)).scan.isRecognised)
    #expect(try !TestLog.read(Data(count: 5000)).scan.isRecognised)
    let (scan, payloads) = try TestLog.read(Data("junk".utf8) + log.bytes)
    #expect(scan.isRecognised && scan.damage != nil && payloads.count == 6)
  }

  @Test("an empty file may be anybody's, and is damaged")
  func empty() throws {
    let scan = try TestLog.read(Data()).scan
    #expect(scan.isRecognised && scan.damage == .wrongLength(expected: 4096, found: 0))
  }
}
