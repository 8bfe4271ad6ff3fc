import Foundation

/// What can be read of a ledger's file.
struct LedgerLog {
  private(set) var records: [LedgerRecord] = []
  /// Why records may be missing; `nil` if none is.
  private(set) var damage: DamagedFile.Reason?
  /// Whether the file ends within a record: its writer died before it was told that the record is written.
  private(set) var isTorn = false
  /// Whether anything in the file tells that it is a ledger.
  private(set) var isRecognised: Bool

  init(_ bytes: Data) {
    isRecognised = bytes.prefix(4) == LedgerRecord.magic.prefix(bytes.count)
    var rest = Data(bytes)
    while !rest.isEmpty {
      switch LedgerRecord.read(rest) {
      case .record(let record, let length):
        if record.number != UInt64(records.count) { damage = damage ?? .wrongChecksum }
        records.append(record)
        rest = rest.dropFirst(length)
      case .cutShort where damage == nil && !records.isEmpty && !Self.hasRecord(rest.dropFirst()):
        isTorn = true
        rest = Data()
      case .cutShort, .damaged:
        damage = damage ?? .wrongChecksum
        rest = Self.fromNextMagic(rest.dropFirst())
      }
    }
    if !records.isEmpty { isRecognised = true }
    if !isRecognised {
      damage = .notThisFormat
    } else if records.first?.kind != .opened {
      damage = damage ?? .wrongLength(expected: LedgerRecord.headLength, found: bytes.count)
    }
  }

  /// What may be a record, and all behind it.
  private static func fromNextMagic(_ bytes: Data) -> Data {
    bytes.range(of: LedgerRecord.magic).map { bytes[$0.lowerBound...] } ?? Data()
  }

  private static func hasRecord(_ bytes: Data) -> Bool {
    var rest = fromNextMagic(bytes)
    while !rest.isEmpty {
      if case .record = LedgerRecord.read(rest) { return true }
      rest = fromNextMagic(rest.dropFirst())
    }
    return false
  }
}
