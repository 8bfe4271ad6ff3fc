import Foundation

@testable import MillraceStorage

/// A log in memory, made of batches of payloads, and what can be read of its bytes.
struct TestLog {
  static let magic = Data("TEST".utf8)

  let file = MemoryFile()
  private(set) var log: LogFile
  /// Where each batch ends.
  private(set) var ends: [Int]

  init() throws {
    log = try LogFile(newFile: file, magic: Self.magic)
    ends = [Int(log.end)]
  }

  var bytes: Data { file.bytes }

  mutating func append(_ payloads: Data...) throws { try append(payloads) }

  mutating func append(_ payloads: [Data]) throws {
    try log.append { batch throws(StorageFailure) in
      for payload in payloads {
        _ = try batch.add(LogRecord(kind: .set, key: Data("k".utf8), payload: payload))
      }
    }
    ends.append(Int(log.end))
  }

  /// What can be read of some bytes.
  static func read(_ bytes: Data) throws -> (scan: LogScan, payloads: [Data]) {
    var payloads: [Data] = []
    let scan = try LogScan(MemoryFile(bytes), magic: magic) { record, _ in
      if record.kind == .set { payloads.append(record.payload) }
    }
    return (scan, payloads)
  }
}
