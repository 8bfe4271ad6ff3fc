/// The result of loading a journal.
public struct StoredEntries<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The entries; empty if nothing usable is stored.
  public var entries: [Key: Value]
  /// The file, if it was damaged or truncated. The entries that could be read are in `entries`; others may be missing
  /// or have an older value. The file was kept under another name.
  public var damaged: [DamagedFile]

  /// Makes a result, by default an empty one, for tests.
  public init(entries: [Key: Value] = [:], damaged: [DamagedFile] = []) {
    self.entries = entries
    self.damaged = damaged
  }
}

extension StoredEntries: Equatable where Value: Equatable {}
extension StoredEntries: Hashable where Value: Hashable {}

extension StoredEntries: Codable where Key: Codable, Value: Codable {}
