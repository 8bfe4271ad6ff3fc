import Millrace

/// Keeps a dictionary in a file to which changes are appended.
///
/// ```swift
/// let stored = try await storage.load()
/// try await storage.append([address: .set(page)])
/// ```
///
/// An append costs what changes, not what is stored. The changes of one append are atomic: after a crash, either all of
/// them are stored or none. From time to time the file is rewritten without obsolete entries, beside the old one. This
/// adds at most a constant factor to the cost of appending.
///
/// Each entry has a checksum, and the file is longer than its contents, so that a truncated file is detected. A damaged
/// file is kept as `.damaged`; all entries that can be read are taken over, and the damage is reported. An append that
/// a crash has interrupted is dropped, since its caller never got an answer. As with a ``FileStorage``, a file of
/// another kind or of a newer version is left unchanged. A `.lock` file excludes other storages from the first use
/// until ``close()``, or until the last reference is released.
///
/// The storage keeps the keys, and the positions of their values in the file, in memory.
///
/// - Note: Unsuitable for network file systems without `flock`.
public final class JournalStorage<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The path of the file.
  public let path: String
  let files: FileQueue<JournalFiles<Key, Value>>

  /// Makes a storage. Touches no file yet.
  ///
  /// - Parameters:
  ///   - path: the file, in a folder that exists.
  ///   - format: the format of the entries.
  public convenience init(at path: String, format: JournalFormat<Key, Value>) {
    self.init(at: path, format: format, disk: PosixDisk())
  }

  init(at path: String, format: JournalFormat<Key, Value>, disk: any Disk) {
    self.path = path
    files = FileQueue(JournalFiles(path, format: format, disk: disk))
  }

  /// Loads the stored entries. If there is no file, the result is empty.
  ///
  /// Reads on a queue of the storage's own; cancellation does not interrupt it. Costs the size of the file, and
  /// memory for the entries.
  ///
  /// - Throws: the reason why the file can neither be used nor set aside.
  public func load() async throws(StorageFailure) -> StoredEntries<Key, Value> {
    try await files.perform { files throws(StorageFailure) in try files.load() }
  }

  /// Appends changes, and waits until they are on disk. Appends of one storage happen in the order of the calls.
  ///
  /// Writes on a queue of the storage's own; cancellation does not interrupt it. Costs the size of the changes and
  /// one synchronised write, and two more when the file grows.
  ///
  /// - Throws: the reason why the changes may not be on disk; what was stored before is.
  ///   ``StorageFailure/notLoaded(_:)`` if there is a file that was not loaded.
  public func append(_ changes: [Key: JournalChange<Value>]) async throws(StorageFailure) {
    try await append(changes.map { (key: $0.key, change: $0.value) })
  }

  func append(_ changes: [(key: Key, change: JournalChange<Value>)]) async throws(StorageFailure) {
    try await files.perform { files throws(StorageFailure) in try files.append(changes) }
  }

  /// Rewrites the file without obsolete entries, and waits until it is on disk. Appends do so too when it is worth the
  /// cost.
  ///
  /// - Throws: the reason why the file may not be rewritten. No stored entry is lost in either case.
  public func compact() async throws(StorageFailure) {
    try await files.perform { files throws(StorageFailure) in try files.compact() }
  }

  /// Removes the file and those beside it, except for files that were set aside, and releases the lock.
  ///
  /// Waits for the appends that were called before. Later appends fail with ``StorageFailure/notLoaded(_:)`` until
  /// ``load()`` is called, so that no effect writes removed entries again. Removes nothing if there is no file.
  ///
  /// - Throws: the reason why something is still stored. A file that a load would leave unchanged is not removed.
  public func remove() async throws(StorageFailure) {
    try await files.perform { files throws(StorageFailure) in try files.remove() }
  }

  /// Releases the lock after the appends that were called before are completed. Load again before the next append.
  public func close() async {
    await files.perform { files in files.close() }
  }
}

extension JournalStorage where Value: Equatable {
  /// Waits until all changes of a backlog are on disk, also those that no run has appended. Waits for the appends in
  /// progress first.
  ///
  /// Call it after the store was shut down: the last changes may not have been appended, since a shutdown starts no
  /// new runs.
  ///
  /// ```swift
  /// await store.shutdown()
  /// try await storage.flush(store.state.pages.backlog)
  /// ```
  ///
  /// Costs nothing if the backlog is known to be saved. Cancellation does not interrupt it.
  ///
  /// - Throws: the reason why the changes may not be on disk.
  public func flush(_ backlog: JournalBacklog<Key, Value>) async throws(StorageFailure) {
    guard !backlog.isSaved else { return }
    try await append(backlog.append().changes(after: backlog.savedGeneration))
  }
}

extension JournalStorage where Key: Codable, Value: Codable {
  /// Makes a storage that writes keys and values as JSON. Touches no file yet. `path` is a file in a folder that
  /// exists.
  public convenience init(at path: String) { self.init(at: path, format: .json()) }
}
