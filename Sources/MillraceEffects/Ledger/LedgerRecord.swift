import Foundation

/// One line of a ledger: a head of 24 bytes, numbers in big-endian order, and a body.
///
/// | bytes | what |
/// |---|---|
/// | 0..<4 | `MRL1` |
/// | 4..<8 | length of the body in bytes |
/// | 8..<16 | checksum of the body |
/// | 16..<24 | checksum of bytes 0..<16 |
/// | body 0..<8 | number of the record in its file, from 0 |
/// | body 8 | kind |
/// | body 9..<17 | attempt |
/// | body 17..<21 | version of the request's layout |
/// | body 21..<25 | length of the key in bytes |
/// | rest | the key in UTF-8, then the encoded request |
struct LedgerRecord: Equatable {
  enum Kind: UInt8 {
    /// Stands first in every file, so that an emptied file is known for what it is.
    case opened
    case begun
    case ended
    case forgotten
  }

  static let headLength = 24
  static let magic = Data("MRL1".utf8)
  private static let fixedLength = 25

  var number: UInt64
  var kind: Kind
  var key = ""
  var attempt = 0
  var version: UInt32 = 0
  var payload = Data()

  var bytes: Data {
    var body = Data()
    body.append(number: number)
    body.append(number: kind.rawValue)
    body.append(number: UInt64(bitPattern: Int64(attempt)))
    body.append(number: version)
    body.append(number: UInt32(key.utf8.count))
    body.append(contentsOf: key.utf8)
    body.append(payload)
    var bytes = Self.magic
    bytes.append(number: UInt32(body.count))
    bytes.append(number: Data.checksum(body))
    bytes.append(number: Data.checksum(bytes))
    return bytes + body
  }
}

extension LedgerRecord {
  /// What stands at a place of a file.
  enum Reading: Equatable {
    case record(LedgerRecord, length: Int)
    /// The file ends within a record whose head, as far as it goes, is right.
    case cutShort
    case damaged
  }

  static func read(_ bytes: Data) -> Reading {
    guard bytes.prefix(4) == magic.prefix(bytes.count) else { return .damaged }
    guard bytes.count >= headLength else { return .cutShort }
    guard bytes.number(at: 16, bytes: 8) == Data.checksum(bytes.prefix(16)) else { return .damaged }
    let length = Int(bytes.number(at: 4, bytes: 4))
    let body = bytes.dropFirst(headLength).prefix(length)
    guard body.count == length else { return .cutShort }
    guard bytes.number(at: 8, bytes: 8) == Data.checksum(body), let record = LedgerRecord(body: body) else {
      return .damaged
    }
    return .record(record, length: headLength + length)
  }

  private init?(body: Data) {
    guard body.count >= Self.fixedLength, let kind = Kind(rawValue: UInt8(body.number(at: 8, bytes: 1)))
    else { return nil }
    let rest = body.dropFirst(Self.fixedLength)
    let keyLength = Int(body.number(at: 21, bytes: 4))
    guard keyLength <= rest.count else { return nil }
    self.init(
      number: body.number(at: 0, bytes: 8), kind: kind,
      key: String(decoding: rest.prefix(keyLength), as: UTF8.self),
      attempt: Int(Int64(bitPattern: body.number(at: 9, bytes: 8))),
      version: UInt32(body.number(at: 17, bytes: 4)), payload: Data(rest.dropFirst(keyLength)))
  }
}
