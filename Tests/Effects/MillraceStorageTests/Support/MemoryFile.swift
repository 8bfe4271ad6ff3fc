import Foundation
import Millrace

@testable import MillraceStorage

/// A file that is not on a disk.
struct MemoryFile: DiskFile {
  private let contents: Lock<Data>

  init(_ bytes: Data = Data()) { contents = Lock(bytes) }

  var bytes: Data { contents.withLock { $0 } }

  func identity() throws(StorageFailure) -> FileIdentity {
    FileIdentity(device: 0, number: 0, size: UInt64(bytes.count), modified: 0, isRegular: true)
  }

  func read(at offset: UInt64, count: Int) throws(StorageFailure) -> Data {
    Data(bytes.dropFirst(Int(offset)).prefix(count))
  }

  func write(_ bytes: Data, at offset: UInt64) throws(StorageFailure) {
    contents.withLock { contents in
      let end = Int(offset) + bytes.count
      if contents.count < end { contents.append(Data(count: end - contents.count)) }
      contents.replaceSubrange(Int(offset)..<end, with: bytes)
    }
  }

  func extend(to size: UInt64) throws(StorageFailure) {
    contents.withLock { contents in
      if contents.count < size { contents.append(Data(count: Int(size) - contents.count)) }
    }
  }

  func sync() throws(StorageFailure) {}
}
