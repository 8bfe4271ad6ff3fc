import Foundation

/// The files of one stored value: the current generation, the one before, and what was set aside.
///
/// A save writes the new generation beside the current one, gives the current one its second name, and puts
/// the new one in its place. Wherever that is broken off, the current or the previous name is a whole file.
struct StorageFiles<Value: Sendable> {
  private enum Current {
    case unknown
    case missing
    case good
  }

  private let disk: any Disk
  private let path: String
  private let format: StorageFormat<Value>
  private var lock: DiskLock?
  private var current = Current.unknown

  private var previousPath: String { path + ".previous" }

  init(_ path: String, format: StorageFormat<Value>, disk: any Disk) {
    self.path = path
    self.format = format
    self.disk = disk
  }

  /// Gives up the lock; the next load or save takes it again.
  mutating func close() {
    lock = nil
    current = .unknown
  }

  mutating func load() throws(StorageFailure) -> StoredValue<Value> {
    try takeLock()
    var result = StoredValue<Value>()
    if let (record, value) = try verified(path, damaged: &result.damaged) {
      current = .good
      (result.value, result.generation, result.source) = (value, record.generation, .current)
      return result
    }
    current = .missing
    if let (record, value) = try verified(previousPath, damaged: &result.damaged) {
      (result.value, result.generation, result.source) = (value, record.generation, .previous)
    }
    return result
  }

  /// Saves a value. Returns what was found damaged in its place and set aside.
  mutating func save(_ value: Value, generation: UInt64) throws(StorageFailure) -> [DamagedFile] {
    let payload: Data
    do { payload = try format.encode(value) } catch { throw .notEncodable(String(describing: error)) }
    try takeLock()
    var damaged: [DamagedFile] = []
    if current == .unknown {
      current = try verified(path, damaged: &damaged) == nil ? .missing : .good
    }
    let record = StorageRecord(version: format.version, generation: generation, payload: payload)
    let (new, second) = (path + ".new", path + ".previous.new")
    do throws(StorageFailure) {
      try disk.write(record.bytes, to: new)
      if current == .good, disk.exists(path) {  // somebody may have taken it away meanwhile
        try disk.remove(second)
        try disk.link(path, to: second)
        try disk.rename(second, to: previousPath)
        try disk.remove(second)  // where both name one file already, renaming leaves both
      }
      try disk.rename(new, to: path)
    } catch {
      try? disk.remove(new)
      try? disk.remove(second)
      throw error
    }
    current = .good
    try disk.syncFolder(of: path)
    return damaged
  }

  private mutating func takeLock() throws(StorageFailure) {
    if lock == nil { lock = try disk.lock(path + ".lock") }
  }

  /// Reads and verifies one file. A damaged one is set aside.
  private func verified(
    _ path: String, damaged: inout [DamagedFile]
  ) throws(StorageFailure) -> (StorageRecord, Value)? {
    guard let bytes = try disk.contents(of: path) else { return nil }
    let reason: DamagedFile.Reason
    switch Result(catching: { () throws(DamagedFile.Reason) in try StorageRecord(bytes) }) {
    case .failure(let damage):
      reason = damage
    case .success(let record):
      guard record.version <= format.version else {
        throw .newerVersion(found: record.version, known: format.version)
      }
      do { return (record, try format.decode(record.payload, record.version)) } catch {
        reason = .notDecodable(String(describing: error))
      }
    }
    let name = freeName(for: path)
    try disk.rename(path, to: name)
    damaged.append(DamagedFile(path: path, setAsideAs: name, reason: reason))
    return nil
  }

  private func freeName(for path: String) -> String {
    let name = path + ".damaged"
    guard disk.exists(name) else { return name }
    var number = 2
    while disk.exists("\(name)-\(number)") { number += 1 }
    return "\(name)-\(number)"
  }
}
