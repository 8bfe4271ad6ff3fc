import Foundation

@testable import MillraceStorage

/// A stored value reads back as it was written, and no changed byte goes unseen.
func fuzzValues(_ bytes: [UInt8]) {
  if let record = try? StorageRecord(Data(bytes)) {
    check(record.bytes == Data(bytes), "a record that is read is written otherwise")
  }
  let record = StorageRecord(
    version: UInt32(bytes.count), generation: UInt64(bytes.first ?? 0), payload: Data(bytes))
  var file = record.bytes
  check((try? StorageRecord(file)) == record, "a record that is written is read otherwise")
  let place = bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % file.count
  file[place] ^= bytes.last.map { $0 | 1 } ?? 1
  check((try? StorageRecord(file)) == nil, "byte \(place) is changed, and nobody sees it")
}
