import Millrace

/// A file in which work is written down before it begins, so that none is repeated blindly after a crash.
///
/// ```swift
/// let ledger = Ledger<Payment>(at: "/home/me/.payments")
/// ```
///
/// `effect.once(in: ledger, …)` writes to it, and a ``LedgerEffect`` tells what was begun and has not ended. Each
/// piece of work has a key, of your choice and unique for ever, by which the world outside can know it as well. It
/// is begun at most once for each attempt; a later attempt is for the reducer to ask for.
///
/// A record is on the medium before the work begins, and another one after it has ended. A record that a crash
/// has cut short is one that nobody relied on, and is dropped. A file that is damaged otherwise is kept beside the
/// ledger as `.damaged`, all records that can be read are taken over, and it is told; what else the file may have
/// said is lost. As with a ``FileStorage``, a file that is somebody else's or of a newer version is left alone, and
/// from the first use until ``close()``, or until the last reference goes, a `.lock` file keeps others out.
///
/// What has ended is remembered for some time, so that a state that was stored before the end, and asks for the
/// work again after a crash, is told. The file is rewritten now and then without what no longer matters.
///
/// - Note: Unfit as the only safeguard where a second time does harm: whether interrupted work was done is known
///   to the world alone. Hand it the key, and have it refuse a key that it has seen.
public final class Ledger<Request: Hashable & Sendable>: Sendable {
  /// Where it is kept.
  public let path: String
  let files: FileQueue<LedgerFiles<Request>>

  /// Makes a ledger; touches nothing yet.
  ///
  /// - Parameters:
  ///   - path: the file, in a folder that exists.
  ///   - format: how a request is written.
  ///   - remembered: how many of the last ended keys are known for certain. Must not be less than how many can end
  ///     between two saves of a stored state; each costs some 100 bytes of memory and disk.
  public convenience init(at path: String, format: StorageFormat<Request>, remembering remembered: Int = 1000)
  {
    self.init(at: path, format: format, remembering: remembered, disk: PosixDisk())
  }

  init(at path: String, format: StorageFormat<Request>, remembering remembered: Int = 1000, disk: any Disk) {
    self.path = path
    files = FileQueue(LedgerFiles(path, format: format, remembering: remembered, disk: disk))
  }

  /// Gives up the lock once what is being written is. What comes next opens the ledger again, for which all that
  /// has not ended counts as interrupted: close it when nothing runs.
  public func close() async {
    await files.perform { files in files.close() }
  }
}

extension Ledger where Request: Codable {
  /// Makes a ledger that writes JSON; touches nothing yet. `path` is a file in a folder that exists.
  public convenience init(at path: String) { self.init(at: path, format: .json()) }
}
