/// An event of a ``FolderWatchEffect``.
public enum FolderWatchEvent: Hashable, Sendable {
  /// These are the files of the folder, by their names: first when it is watched, then whenever something differs. If
  /// much happens at once, one listing stands for all of it.
  case listed([String: FileFacts], in: FolderWatchRequest)
  /// The folder cannot be listed. It is tried again every second; a listing follows if that succeeds.
  case failed(FolderWatchFailure, FolderWatchRequest)
}

/// The reason why a folder cannot be listed.
@nonexhaustive public enum FolderWatchFailure: Error, Hashable, Sendable {
  /// There is nothing of that path.
  case noSuchFolder
  /// What has that path is no folder.
  case notAFolder
  /// This process may not read it.
  case notReadable
  /// Something else; the number is the system's `errno`.
  case other(errno: Int32)
}
