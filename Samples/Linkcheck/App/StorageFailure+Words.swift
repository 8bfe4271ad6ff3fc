import MillraceStorage

extension StorageFailure {
  /// The failure in words for people.
  var words: String {
    switch self {
    case .noSuchFolder(let path): "no such folder: \(path)"
    case .isDirectory(let path): "is a folder: \(path)"
    case .permission(let path): "not permitted: \(path)"
    case .diskFull(let path): "no space left on device: \(path)"
    case .locked(let path): "in use by another process: \(path)"
    case .newerVersion(let path, _, _): "written by a newer version of this program: \(path)"
    case .foreignFile(let path): "is no progress file: \(path)"
    case .isSymbolicLink(let path): "is a symbolic link: \(path)"
    case .notLoaded(let path): "another file is there since the check began: \(path)"
    case .notMigratable(let path, let version, _):
      "of version \(version), which this program cannot read: \(path)"
    case .notEncodable(let message): message
    case .unreadable(let message, _): message
    }
  }
}
