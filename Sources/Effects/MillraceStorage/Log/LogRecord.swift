import Foundation

/// One record of a log: a head of 60 bytes, numbers in big-endian order, and a body.
///
/// | bytes | what |
/// |---|---|
/// | 0..<4 | the kind of log |
/// | 4 | kind of the record |
/// | 5 | 1 if the record is the last of its batch |
/// | 6..<8 | 0 |
/// | 8..<12 | version of the layout of key and payload |
/// | 12..<16 | length of the key in bytes |
/// | 16..<20 | length of the payload in bytes |
/// | 20..<28 | number of the record in its file, from 0 |
/// | 28..<36 | number of the first record of its batch |
/// | 36..<44 | least length in bytes of a file with this record |
/// | 44..<52 | checksum of the body |
/// | 52..<60 | checksum of bytes 0..<52, made odd |
/// | body | the key, the payload, and a line feed |
///
/// The last byte of a head and that of a record are never zero. A zero in its place shows that the end was not written.
struct LogRecord: Equatable {
  static let headLength = 60
  /// The length of a record with neither key nor payload.
  static let emptyLength = UInt64(headLength + 1)
  private static let endMark: UInt8 = 10

  enum Kind: UInt8 {
    /// The first record of every file.
    case opened = 0
    /// The file has been extended.
    case extended = 1
    /// The key has the payload as its value.
    case set = 16
    /// The key has no value.
    case removed = 17
    /// The work with this key has begun.
    case begun = 32
    /// The work with this key has ended.
    case ended = 33
    /// The work with this key counts as not begun.
    case forgotten = 34
  }

  var kind: Kind
  var version: UInt32 = 0
  var key = Data()
  var payload = Data()
  var number: UInt64 = 0
  var batch: UInt64 = 0
  var endsBatch = true
  var reserved: UInt64 = 0

  /// The length of the record in bytes.
  var length: UInt64 { Self.emptyLength + UInt64(key.count) + UInt64(payload.count) }

  private static func headChecksum(_ bytes: Data) -> UInt64 { Data.wideChecksum(bytes) | 1 }

  func bytes(magic: Data) -> Data {
    var bytes = Data(capacity: Int(length))
    bytes.append(magic)
    bytes.append(number: kind.rawValue)
    bytes.append(number: UInt8(endsBatch ? 1 : 0))
    bytes.append(number: UInt16(0))
    bytes.append(number: version)
    bytes.append(number: UInt32(key.count))
    bytes.append(number: UInt32(payload.count))
    bytes.append(number: number)
    bytes.append(number: batch)
    bytes.append(number: reserved)
    bytes.append(number: Data.wideChecksum(key, payload))
    bytes.append(number: Self.headChecksum(bytes))
    bytes.append(key)
    bytes.append(payload)
    bytes.append(Self.endMark)
    return bytes
  }
}

extension LogRecord {
  /// The head of a record, as read.
  struct Head {
    let record: LogRecord
    let keyLength, payloadLength: Int
    fileprivate let checksum: UInt64

    /// The length of the whole record in bytes.
    var length: UInt64 { LogRecord.emptyLength + UInt64(keyLength) + UInt64(payloadLength) }
    /// The length of the body in bytes, with the end mark.
    var bodyLength: Int { keyLength + payloadLength + 1 }

    /// Reads and verifies a head.
    init?(_ bytes: Data, magic: Data) {
      guard bytes.count == LogRecord.headLength, bytes.prefix(4) == magic,
        bytes.number(at: 52, bytes: 8) == LogRecord.headChecksum(bytes.prefix(52)),
        let kind = Kind(rawValue: UInt8(bytes.number(at: 4, bytes: 1)))
      else { return nil }
      keyLength = Int(bytes.number(at: 12, bytes: 4))
      payloadLength = Int(bytes.number(at: 16, bytes: 4))
      checksum = bytes.number(at: 44, bytes: 8)
      record = LogRecord(
        kind: kind, version: UInt32(bytes.number(at: 8, bytes: 4)), number: bytes.number(at: 20, bytes: 8),
        batch: bytes.number(at: 28, bytes: 8), endsBatch: bytes.number(at: 5, bytes: 1) == 1,
        reserved: bytes.number(at: 36, bytes: 8))
    }
  }

  /// Reads and verifies the body that follows a head.
  init?(_ head: Head, body: Data) {
    // A record whose end mark alone is missing is complete.
    guard body.count == head.bodyLength, body.last == Self.endMark || body.last == 0 else { return nil }
    self = head.record
    key = Data(body.prefix(head.keyLength))
    payload = Data(body.dropFirst(head.keyLength).dropLast())
    guard Data.wideChecksum(key, payload) == head.checksum else { return nil }
  }
}

/// The position of a record in its file.
struct LogPlace: Equatable, Sendable {
  var offset: UInt64
  /// The length in bytes.
  var length: UInt64
}
