import Millrace

/// Keeps one value in a file that is complete at any time.
///
/// ```swift
/// let storage = FileStorage<Notes>(at: "/home/me/.notes")
/// let stored = try await storage.load()
/// ```
///
/// A save writes a new file and renames it over the old one, which stays beside it as `.previous`. A load verifies a
/// checksum; a damaged file is set aside as `.damaged`, and the previous one is used. A `.lock` file locks the file
/// from the first load or save until ``close()``, or until the last reference is released. Any other storage then gets
/// ``StorageFailure/locked(_:)``. Prefer ``close()``, since effects hold the storage too and are released a little
/// after their store has shut down.
///
/// A file of another kind, of a newer version of the program, or of a version that the format cannot migrate is neither
/// moved nor overwritten: loading and saving fail with the reason. A file is of another kind if neither it nor the file
/// beside it begins like a file of this kind; an empty file may be overwritten. A file that was not loaded, or that
/// another process has changed since, is not overwritten either: load it first. Symbolic links at the path of the file,
/// and at the paths beside it, are not followed. Only this user may read the files.
///
/// - Note: Unsuitable for network file systems without `flock`, and for values so large that writing them whole takes
///   too long.
public final class FileStorage<Value: Sendable>: Sendable {
  /// The path of the file.
  public let path: String
  let files: FileQueue<StorageFiles<Value>>

  /// Makes a storage. Touches no file yet.
  ///
  /// - Parameters:
  ///   - path: the file, in a folder that exists.
  ///   - format: the format of the value.
  public convenience init(at path: String, format: StorageFormat<Value>) {
    self.init(at: path, format: format, disk: PosixDisk())
  }

  init(at path: String, format: StorageFormat<Value>, disk: any Disk) {
    self.path = path
    files = FileQueue(StorageFiles(path, format: format, disk: disk))
  }

  /// Loads the stored value. If there is no file, the result has no value.
  ///
  /// Reads on a queue of the storage's own; cancellation does not interrupt it.
  ///
  /// - Throws: the reason why the file can neither be used nor set aside.
  public func load() async throws(StorageFailure) -> StoredValue<Value> {
    try await files.perform { files throws(StorageFailure) in try files.load() }
  }

  /// Saves a value, and waits until it is on disk. Saves of one storage happen in the order of the calls.
  ///
  /// Writes on a queue of the storage's own; cancellation does not interrupt it.
  ///
  /// - Throws: the reason why the value may not be on disk; the value stored before is.
  ///   ``StorageFailure/notLoaded(_:)`` if there is a file that was not loaded, or that another process has changed
  ///   since.
  public func save(_ value: Value, generation: UInt64) async throws(StorageFailure) {
    try await files.perform { files throws(StorageFailure) in try files.save(value, generation: generation) }
  }

  /// Removes the file and those beside it, except for files that were set aside, and releases the lock.
  ///
  /// Waits for the saves that were called before. Later saves fail with ``StorageFailure/notLoaded(_:)`` until
  /// ``load()`` is called, so that no effect writes the removed value again. Removes nothing if there is no file.
  ///
  /// - Throws: the reason why something is still stored. A file that a load would leave unchanged is not removed.
  public func remove() async throws(StorageFailure) {
    try await files.perform { files throws(StorageFailure) in try files.remove() }
  }

  /// Releases the lock after the saves that were called before are completed. The next load takes the lock again;
  /// load before the next save.
  public func close() async {
    await files.perform { files in files.close() }
  }
}

extension FileStorage where Value: Equatable {
  /// Waits until the newest value is on disk, even if no run has saved it. Waits for the saves in progress first.
  ///
  /// Call it after the store was shut down: the last change may not have been saved, since a shutdown starts no new
  /// runs.
  ///
  /// ```swift
  /// await store.shutdown()
  /// try await storage.flush(store.state.notes)
  /// ```
  ///
  /// Costs one write of the value, or nothing if the value is known to be saved. Cancellation does not interrupt it.
  ///
  /// - Throws: the reason why the newest value may not be on disk. The value stored before is.
  public func flush(_ saving: Saving<Value>) async throws(StorageFailure) {
    guard !saving.isSaved else { return }
    try await save(saving.value, generation: saving.generation)
  }
}

extension FileStorage where Value: Codable {
  /// Makes a storage that writes JSON. Touches no file yet. `path` is a file in a folder that exists.
  public convenience init(at path: String) { self.init(at: path, format: .json()) }
}
