import Foundation
import TestSupport

/// The files of the checkout.
enum Repository {
  struct File: Sendable {
    /// The path from the root of the checkout.
    let path: String
    let text: String
  }

  /// The file at a path from the root.
  static func file(_ path: String) throws -> File {
    File(path: path, text: try Checkout.text(path))
  }

  /// All files under a folder that end in `suffix`, in order of their paths.
  static func files(under folder: String, suffix: String) throws -> [File] {
    let start = Checkout.root.appending(path: folder, directoryHint: .isDirectory)
    let found = FileManager.default.enumerator(atPath: start.path(percentEncoded: false))
    let paths = (found?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(suffix) }
    return try paths.sorted().map { try file("\(folder)/\($0)") }
  }
}
