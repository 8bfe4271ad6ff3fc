import Foundation

/// The checkout that the tests are a part of.
package enum Checkout {
  package static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  /// The text of the file at a path from the root.
  package static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}
