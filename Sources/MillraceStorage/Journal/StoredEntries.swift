/// What was found when a journal was loaded.
public struct StoredEntries<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The entries; empty if nothing usable is stored.
  public var entries: [Key: Value]
  /// The file, if it was damaged or cut: what could be read of it is in `entries`, other entries may be missing or
  /// may have an older value. It was kept under another name.
  public var damaged: [DamagedFile]

  /// Makes a result, by default that of an empty folder.
  public init(entries: [Key: Value] = [:], damaged: [DamagedFile] = []) {
    self.entries = entries
    self.damaged = damaged
  }
}

extension StoredEntries: Equatable where Value: Equatable {}
