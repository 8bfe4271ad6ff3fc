import Millrace

/// Keeps a dictionary in a file to which changes are appended.
///
/// ```swift
/// let stored = try await storage.load()
/// try await storage.append([address: .set(page)])
/// ```
///
/// An append costs what changes, not what is stored. All changes of one append count together: after a crash all of
/// them are there or none. Now and then the file is rewritten without what no longer matters, beside the old one,
/// so that appending costs no more than a constant factor beside.
///
/// Each entry has a checksum, and the file is longer than what is in it, so that a file that was cut anywhere is
/// known for that: it is kept aside as `.damaged`, all entries that can be read are taken over, and it is told. An
/// append that a crash has broken off is one that nobody was told to be done, and is dropped. As with a
/// ``FileStorage``, a file that is somebody else's or of a newer version is left alone, and from the first use until
/// ``close()``, or until the last reference goes, a `.lock` file keeps others out.
///
/// Keeps in memory the keys and where in the file their values are.
///
/// - Note: Unfit for network file systems that have no `flock`.
public final class JournalStorage<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Where the entries are kept.
  public let path: String
  private let files: FileQueue<JournalFiles<Key, Value>>

  /// Makes a storage; touches nothing yet.
  ///
  /// - Parameters:
  ///   - path: the file, in a folder that exists.
  ///   - format: how an entry is written.
  public convenience init(at path: String, format: JournalFormat<Key, Value>) {
    self.init(at: path, format: format, disk: PosixDisk())
  }

  init(at path: String, format: JournalFormat<Key, Value>, disk: any Disk) {
    self.path = path
    files = FileQueue(JournalFiles(path, format: format, disk: disk))
  }

  /// Loads what is stored. An empty place is not a failure.
  ///
  /// Reads on a queue of the storage's own; not broken off by cancellation. Costs the size of the file, and memory
  /// for the entries.
  ///
  /// - Throws: why the file can neither be used nor set aside.
  public func load() async throws(StorageFailure) -> StoredEntries<Key, Value> {
    try await files.perform { files throws(StorageFailure) in try files.load() }
  }

  /// Appends changes, and returns when they are on the medium. Appends of one storage happen in the order of the
  /// calls.
  ///
  /// Writes on a queue of the storage's own; not broken off by cancellation. Costs what changes and one
  /// synchronised write, with two more where the file becomes longer.
  ///
  /// - Throws: why the changes are not known to be on the medium. What was stored before is, unless the changes
  ///   are. ``StorageFailure/notLoaded(_:)`` if there is a file that was not loaded.
  public func append(_ changes: [Key: JournalChange<Value>]) async throws(StorageFailure) {
    try await append(changes.map { (key: $0.key, change: $0.value) })
  }

  func append(_ changes: [(key: Key, change: JournalChange<Value>)]) async throws(StorageFailure) {
    try await files.perform { files throws(StorageFailure) in try files.append(changes) }
  }

  /// Rewrites the file without what no longer matters, and returns when that is on the medium. Appending does so by
  /// itself where it is worth its cost.
  ///
  /// - Throws: why the file is not known to be rewritten. All that was stored is, in either case.
  public func compact() async throws(StorageFailure) {
    try await files.perform { files throws(StorageFailure) in try files.compact() }
  }

  /// Removes what is stored, but for what was set aside, and gives up the lock. An empty place is not a failure.
  ///
  /// - Throws: why something is still stored. A file that a load would leave alone is not removed either.
  public func remove() async throws(StorageFailure) {
    try await files.perform { files throws(StorageFailure) in try files.remove() }
  }

  /// Gives up the lock once the appends before it are done. Load before you append again.
  public func close() async {
    await files.perform { files in files.close() }
  }
}

extension JournalStorage where Value: Equatable {
  /// Returns when all changes are on the medium, appended or not so far, behind the appends that are under way.
  ///
  /// To be called when a store was shut down: what changed last may not have been appended, since a shutdown starts
  /// no new runs.
  ///
  /// ```swift
  /// await store.shutdown()
  /// try await storage.flush(store.state.pages.backlog)
  /// ```
  ///
  /// Costs nothing if the state knows all to be saved. Not broken off by cancellation.
  ///
  /// - Throws: why the changes are not known to be on the medium.
  public func flush(_ backlog: JournalBacklog<Key, Value>) async throws(StorageFailure) {
    guard !backlog.isSaved else { return }
    try await append(backlog.append().changes(after: backlog.savedGeneration))
  }
}

extension JournalStorage where Key: Codable, Value: Codable {
  /// Makes a storage that writes each key and each value as JSON; touches nothing yet. `path` is a file in a folder
  /// that exists.
  public convenience init(at path: String) { self.init(at: path, format: .json()) }
}
