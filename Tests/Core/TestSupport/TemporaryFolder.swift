import Foundation

/// A folder of its own for one test, removed with everything in it when the test is done.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// Makes a folder, for many short-lived files in memory where the system offers that.
  package init(isInMemory: Bool = false) throws {
    let inMemory = isInMemory && FileManager.default.isWritableFile(atPath: "/dev/shm")
    let parent = inMemory ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    path = parent + "/millrace-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func file(_ name: String) -> String { path + "/" + name }

  package var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  package func read(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: file(name))) }

  package func write(_ bytes: Data, to name: String) throws {
    try bytes.write(to: URL(fileURLWithPath: file(name)))
  }
}
