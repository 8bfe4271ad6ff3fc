import MillraceDescriptors
import MillraceSpelling

/// An event of a ``FolderWatchEffect``.
public enum FolderWatchEvent: Codable, Hashable, Sendable {
  /// The files of the folder, by name. Sent when the watch begins, and whenever the files differ from the last listing.
  /// Files that were written less than ``FolderWatchRequest/quiet`` ago are in a later listing, also the first time.
  /// One listing may represent many changes. Names that are not UTF-8 are missing, and two names that `String`
  /// considers equal count as one.
  case listed([String: FileFacts], in: FolderWatchRequest)
  /// The folder cannot be listed. The effect tries again every second, and sends a listing when that succeeds.
  case failed(FolderWatchFailure, FolderWatchRequest)
}

/// The reason why a folder cannot be listed.
@nonexhaustive public enum FolderWatchFailure: Error, Codable, Hashable, Sendable {
  /// The path does not exist.
  case noSuchFolder
  /// The path is that of a file.
  case notAFolder
  /// This process may not read it.
  case notReadable
  /// Another error; the number is the system's `errno`.
  case other(errno: Int32)
}

extension FolderWatchFailure: CustomStringConvertible {
  /// The reason in words, such as `nothing has that path`.
  public var description: String {
    switch self {
    case .noSuchFolder: "nothing has that path"
    case .notAFolder: "the path is that of a file"
    case .notReadable: "this process may not read the folder"
    case .other(let number): DescriptorIO.Failure(number: number).reason
    }
  }
}

extension FolderWatchFailure: BareCases {
  package static let bareCases: [Self: String] = [
    .noSuchFolder: "noSuchFolder", .notAFolder: "notAFolder", .notReadable: "notReadable",
  ]
}
