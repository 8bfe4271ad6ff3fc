import Dispatch
import Foundation
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
/// - Note: Unfit for network file systems that have no `flock`, and for values so large that writing them
///   whole takes too long.
public final class FileStorage<Value: Sendable>: Sendable {
  /// Where the value is kept.
  public let path: String
  private let files: Lock<StorageFiles<Value>>
  private let queue = DispatchQueue(label: "millrace.storage")

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
    files = Lock(StorageFiles(path, format: format, disk: disk))
  }

  /// Loads what is stored. An empty place is not a failure.
  ///
  /// Reads on a queue of the storage's own; not broken off by cancellation.
  ///
  /// - Throws: why the file can neither be used nor set aside.
  public func load() async throws(StorageFailure) -> StoredValue<Value> {
    try await perform { files throws(StorageFailure) in try files.load() }
  }

  /// Saves a value, and returns when it is on the medium. Saves of one storage happen in the order of the calls.
  ///
  /// Writes on a queue of the storage's own; not broken off by cancellation.
  ///
  /// - Returns: what was found damaged in the place of the file and set aside.
  /// - Throws: why the value is not known to be on the medium. What was stored before is, unless the value is.
  @discardableResult
  public func save(_ value: Value, generation: UInt64) async throws(StorageFailure) -> [DamagedFile] {
    try await perform { files throws(StorageFailure) in try files.save(value, generation: generation) }
  }

  /// Gives up the lock once the saves before it are done. The next load or save takes it again.
  public func close() async {
    try? await perform { files throws(StorageFailure) in files.close() }
  }

  private func perform<Result: Sendable>(
    _ work: @escaping @Sendable (inout StorageFiles<Value>) throws(StorageFailure) -> Result
  ) async throws(StorageFailure) -> Result {
    try await withCheckedContinuation {
      (continuation: CheckedContinuation<Swift.Result<Result, StorageFailure>, Never>) in
      queue.async { [self] in
        continuation.resume(
          returning: Swift.Result { () throws(StorageFailure) in
            try files.withLock { files throws(StorageFailure) in try work(&files) }
          })
      }
    }.get()
  }
}

extension FileStorage where Value: Codable {
  /// Makes a storage that writes JSON; touches nothing yet. `path` is a file in a folder that exists.
  public convenience init(at path: String) { self.init(at: path, format: .json()) }
}
