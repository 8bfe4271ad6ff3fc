import Foundation
import LinkcheckReaders
import MillraceStorage

/// The file in which a check stores its progress.
struct ProgressFile {
  let path: String
  let isNamed: Bool
  let storage: JournalStorage<KeptKey, KeptEntry>

  /// Finds the place of the file; `nil` if nothing is to be stored.
  ///
  /// - Throws: the reason why nothing can be stored at the place that the user wants.
  init?(_ place: ProgressPlace, of start: Address) throws(UsageError) {
    switch place {
    case .nowhere:
      return nil
    case .file(let path):
      switch FileKind(at: path) {
      case .file, .missing: break
      case .folder: throw UsageError("progress cannot be kept: is a folder: \(path)")
      case .special: throw UsageError("progress cannot be kept: not a regular file: \(path)")
      case .unreadable(let message): throw UsageError("progress cannot be kept: \(path): \(message)")
      }
      (self.path, isNamed) = (path, true)
    case .standard:
      guard let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first else {
        return nil
      }
      let folder = caches.appendingPathComponent("linkcheck", isDirectory: true)
      // If this fails, loading fails, too, and reports the reason.
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let name = Self.name(for: Password.hidden(in: start.text))
      (path, isNamed) = (folder.appendingPathComponent(name).path, false)
    }
    storage = JournalStorage(at: path, format: .progress(of: start))
  }

  /// The name of the file for a target: readable, and different for each target.
  static func name(for target: String) -> String {
    let readable = target.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in target.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(readable.suffix(60)) + "-" + String(hash, radix: 16) + ".progress"
  }
}
