@testable import MillraceStorage

// What suites need of the inside of the module, so that they test by its interface alone: a disk that fails.

extension FileStorage where Value: Codable {
  static func on(_ disk: ScriptedDisk, at path: String) -> FileStorage {
    FileStorage(at: path, format: .json(), disk: disk)
  }
}

extension JournalStorage where Key: Codable, Value: Codable {
  static func on(_ disk: ScriptedDisk, at path: String) -> JournalStorage {
    JournalStorage(at: path, format: .json(), disk: disk)
  }
}

extension Ledger where Request: Codable {
  static func on(_ disk: ScriptedDisk, at path: String) -> Ledger {
    Ledger(at: path, format: .json(), disk: disk)
  }

  /// The keys of the work that was interrupted, of a ledger that is opened.
  func interruptedKeys() async throws -> [String] {
    let opening = try await files.perform { files throws(StorageFailure) in try files.open() }
    return opening.interrupted.map(\.key.text)
  }
}
