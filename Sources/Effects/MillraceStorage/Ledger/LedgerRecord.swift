import Foundation

/// One record of a ledger. In the file it is a ``LogRecord`` whose payload is the attempt, in eight bytes,
/// and the encoded request.
struct LedgerRecord: Equatable {
  var kind: LogRecord.Kind
  var key: LedgerKey
  var attempt: Int
  var version: UInt32 = 0
  var payload = Data()

  var logRecord: LogRecord {
    var content = Data()
    content.append(number: Int64(attempt))
    content.append(payload)
    return LogRecord(kind: kind, version: version, key: Data(key.text.utf8), payload: content)
  }
}

extension LedgerRecord {
  /// Returns `nil` for a record that is not about work.
  init?(_ record: LogRecord) {
    switch record.kind {
    case .begun, .ended, .forgotten: break
    case .opened, .extended, .set, .removed: return nil
    }
    guard record.payload.count >= 8 else { return nil }
    self.init(
      kind: record.kind, key: LedgerKey(String(decoding: record.key, as: UTF8.self)),
      attempt: Int(Int64(bitPattern: record.payload.number(at: 0, bytes: 8))), version: record.version,
      payload: Data(record.payload.dropFirst(8)))
  }
}
