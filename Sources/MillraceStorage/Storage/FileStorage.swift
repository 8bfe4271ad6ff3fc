import Millrace

/// Keeps one value in a file that is whole at any time.
///
/// ```swift
/// let storage = FileStorage<Notes>(at: "/home/me/.notes")
/// let stored = try await storage.load()
/// ```
///
/// A save writes a new file and puts it in the place of the old one, which stays beside it as `.previous`.
/// A load verifies a checksum; a damaged file is set aside as `.damaged`, and the previous one is used. From the
/// first load or save until ``close()``, or until the last reference goes, the file is locked by a `.lock` file
/// beside it: whoever else asks gets ``StorageFailure/locked(_:)``.
///
/// A file that is somebody else's, that a newer version of the program wrote, or that its format cannot migrate
/// is neither moved nor written over: loading and saving fail and say so. Somebody else's is what does not begin
/// as a file of this kind does, unless one that does stands beside it; an empty file is nobody's. A file that was not
/// loaded, or that somebody has put or changed there since, is not written over either: load first. Symbolic links in
/// the place of the file, and of those beside it, are not followed. Files are made for this user alone to read.
///
/// - Note: Unfit for network file systems that have no `flock`, and for values so large that writing them
///   whole takes too long.
public final class FileStorage<Value: Sendable>: Sendable {
  /// Where the value is kept.
  public let path: String
  private let files: FileQueue<StorageFiles<Value>>

  /// Makes a storage; touches nothing yet.
  ///
  /// - Parameters:
  ///   - path: the file, in a folder that exists.
  ///   - format: how the value is written.
  public convenience init(at path: String, format: StorageFormat<Value>) {
    self.init(at: path, format: format, disk: PosixDisk())
  }

  init(at path: String, format: StorageFormat<Value>, disk: any Disk) {
    self.path = path
    files = FileQueue(StorageFiles(path, format: format, disk: disk))
  }

  /// Loads what is stored. An empty place is not a failure.
  ///
  /// Reads on a queue of the storage's own; not broken off by cancellation.
  ///
  /// - Throws: why the file can neither be used nor set aside.
  public func load() async throws(StorageFailure) -> StoredValue<Value> {
    try await files.perform { files throws(StorageFailure) in try files.load() }
  }

  /// Saves a value, and returns when it is on the medium. Saves of one storage happen in the order of the calls.
  ///
  /// Writes on a queue of the storage's own; not broken off by cancellation.
  ///
  /// - Throws: why the value is not known to be on the medium. What was stored before is, unless the value is.
  ///   ``StorageFailure/notLoaded(_:)`` if there is a file that was not loaded, or that somebody has changed since.
  public func save(_ value: Value, generation: UInt64) async throws(StorageFailure) {
    try await files.perform { files throws(StorageFailure) in try files.save(value, generation: generation) }
  }

  /// Removes what is stored, with all files that are kept beside it but those that were set aside, and gives up
  /// the lock. An empty place is not a failure.
  ///
  /// - Throws: why something is still stored. A file that a load would leave alone is not removed either.
  public func remove() async throws(StorageFailure) {
    try await files.perform { files throws(StorageFailure) in try files.remove() }
  }

  /// Gives up the lock once the saves before it are done. The next load takes it again; load before you save.
  public func close() async {
    await files.perform { files in files.close() }
  }
}

extension FileStorage where Value: Equatable {
  /// Returns when the newest value is on the medium, saved or not so far, behind the saves that are under way.
  ///
  /// To be called when a store was shut down: what changed last may not have been saved, since a shutdown starts
  /// no new runs.
  ///
  /// ```swift
  /// await store.shutdown()
  /// try await storage.flush(store.state.notes)
  /// ```
  ///
  /// Costs a write of the value if the state does not know it to be saved, and else nothing. Not broken off by
  /// cancellation.
  ///
  /// - Throws: why the newest value is not known to be on the medium. What was stored before is.
  public func flush(_ saving: Saving<Value>) async throws(StorageFailure) {
    guard !saving.isSaved else { return }
    try await save(saving.value, generation: saving.generation)
  }
}

extension FileStorage where Value: Codable {
  /// Makes a storage that writes JSON; touches nothing yet. `path` is a file in a folder that exists.
  public convenience init(at path: String) { self.init(at: path, format: .json()) }
}
