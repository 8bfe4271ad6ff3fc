import Foundation
import TestSupport

/// The files that each version has written, in a folder for each.
enum Kept {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Files")
    .path

  /// The folder into which this run of the tests writes its files, if it does.
  static let written = ProcessInfo.processInfo.environment["MILLRACE_KEEP"]

  static let versions =
    written.map { [$0] }
    ?? (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted().map { "\(folder)/\($0)" }
    ?? []

  /// Copies a file of a version into a folder, since opening a file may change it. Writes it first if this run does.
  static func copy(
    _ name: String, of version: String, to copies: TemporaryFolder,
    writing write: (String) async throws -> Void
  ) async throws -> String {
    let path = "\(version)/\(name)"
    if written != nil {
      try FileManager.default.createDirectory(atPath: version, withIntermediateDirectories: true)
      let made = try TemporaryFolder()
      try await write(made.file(name))
      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.copyItem(atPath: made.file(name), toPath: path)
    }
    try FileManager.default.copyItem(atPath: path, toPath: copies.file(name))
    return copies.file(name)
  }
}
