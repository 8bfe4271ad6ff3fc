import Millrace

/// A file that records work before it begins, so that a program does not repeat it blindly after a crash.
///
/// ```swift
/// let ledger = Ledger<Payment>(at: "/home/me/.payments")
/// ```
///
/// `effect.once(in: ledger, …)` writes to it, and a ``LedgerEffect`` reports work that has begun and not ended. You
/// choose a key for each piece of work. It is unique for ever, and the outside world can know it too. The work begins
/// at most once per attempt; the reducer decides whether to ask for a later attempt.
///
/// One record is on disk before the work begins, and another one after it has ended. A record that a crash has
/// interrupted is dropped, since nothing relied on it. A file that is damaged in another way is kept beside the ledger
/// as `.damaged`. All records that can be read are taken over, the others are lost, and the damage is reported. As with
/// a ``FileStorage``, a file of another kind or of a newer version is left unchanged. A `.lock` file excludes other
/// ledgers from the first use until ``close()``, or until the last reference is released.
///
/// Ended work is remembered for some time. A state that was stored before the end asks for the work again after a
/// crash, and then gets the answer that it has ended. From time to time the file is rewritten without obsolete records.
///
/// - Note: Unsuitable as the only safeguard where a repetition does harm: only the outside world knows whether
///   interrupted work was done. Pass it the key, and let it refuse a key that it has seen.
public final class Ledger<Request: Hashable & Sendable>: Sendable {
  /// The path of the file.
  public let path: String
  let files: FileQueue<LedgerFiles<Request>>

  /// Makes a ledger. Touches no file yet.
  ///
  /// - Parameters:
  ///   - path: the file, in a folder that exists.
  ///   - format: the format of the requests.
  ///   - remembered: the number of ended keys that are remembered. It must be at least the number of keys that can end
  ///     between two saves of the state. Each costs about 100 bytes of memory and disk.
  public convenience init(at path: String, format: StorageFormat<Request>, remembering remembered: Int = 1000)
  {
    self.init(at: path, format: format, remembering: remembered, disk: PosixDisk())
  }

  init(at path: String, format: StorageFormat<Request>, remembering remembered: Int = 1000, disk: any Disk) {
    self.path = path
    files = FileQueue(LedgerFiles(path, format: format, remembering: remembered, disk: disk))
  }

  /// Releases the lock after the writes in progress. The next use opens the ledger again, and then reports work that
  /// has not ended as interrupted. So close the ledger when nothing runs.
  public func close() async {
    await files.perform { files in files.close() }
  }
}

extension Ledger where Request: Codable {
  /// Makes a ledger that writes JSON. Touches no file yet. `path` is a file in a folder that exists.
  public convenience init(at path: String) { self.init(at: path, format: .json()) }
}
