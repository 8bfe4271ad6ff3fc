import MillraceSpelling

/// The reason why a value could not be loaded or saved.
@nonexhaustive public enum StorageFailure: Error, Codable, Hashable, Sendable {
  /// The folder of the file does not exist.
  case noSuchFolder(String)
  /// There is a folder at the path of the file.
  case isDirectory(String)
  /// The system denies access.
  case permission(String)
  /// The disk or the user's quota is full. The file is unchanged.
  case diskFull(String)
  /// Another process, or another storage of this process, has locked the file.
  case locked(String)
  /// The file was written by a newer version of the program. It is left unchanged and not overwritten.
  case newerVersion(String, found: UInt32, known: UInt32)
  /// The file is intact and of an older version that the format cannot migrate. It is left unchanged and not
  /// overwritten.
  case notMigratable(String, from: UInt32, reason: String)
  /// The file does not begin like a file of this kind, or is no regular file. It is left unchanged and not
  /// overwritten.
  case foreignFile(String)
  /// There is a symbolic link at the path of the file. The link and its target are left unchanged.
  case isSymbolicLink(String)
  /// There is a file that this storage has not loaded, or that another process has changed since. It is not
  /// overwritten: load it first, or remove it.
  case notLoaded(String)
  /// The value cannot be encoded.
  case notEncodable(String)
  /// Any other failure of the system, with its description.
  case unreadable(String, errorNumber: Int32)
}

extension StorageFailure: CustomStringConvertible {
  /// The failure in one line, for people.
  public var description: String {
    switch self {
    case .noSuchFolder(let path): "no such folder: \(Spelling.visible(path))"
    case .isDirectory(let path): "a folder is in its place: \(Spelling.visible(path))"
    case .permission(let path): "access is denied: \(Spelling.visible(path))"
    case .diskFull(let path): "the disk or the quota is full: \(Spelling.visible(path))"
    case .locked(let path): "in use by another process or storage: \(Spelling.visible(path))"
    case .newerVersion(let path, let found, let known):
      "written by a newer version of the program, \(found) where \(known) is known: \(Spelling.visible(path))"
    case .notMigratable(let path, let version, let reason):
      "of version \(version), which cannot be migrated (\(Spelling.visible(reason))): \(Spelling.visible(path))"
    case .foreignFile(let path): "not written by this program: \(Spelling.visible(path))"
    case .isSymbolicLink(let path): "a symbolic link is in its place: \(Spelling.visible(path))"
    case .notLoaded(let path): "not loaded, or changed by another since then: \(Spelling.visible(path))"
    case .notEncodable(let words): "cannot be encoded: \(Spelling.visible(words))"
    case .unreadable(let words, _): Spelling.visible(words)
    }
  }
}

extension StorageFailure {
  /// Verifies that a program that knows the versions from `oldest` to `known` can decode this version.
  static func verify(
    _ version: UInt32, from oldest: UInt32, to known: UInt32, in path: String
  ) throws(StorageFailure) {
    guard version <= known else { throw .newerVersion(path, found: version, known: known) }
    guard version >= oldest else {
      throw .notMigratable(path, from: version, reason: "the oldest known version is \(oldest)")
    }
  }
}

/// A file whose contents could not be used, and its new name.
public struct DamagedFile: Codable, Hashable, Sendable {
  /// The damage of a file.
  @nonexhaustive public enum Reason: Codable, Hashable, Sendable {
    /// The file does not begin like a file of this kind.
    case notThisFormat
    /// The length of the file is not the length that it contains.
    case wrongLength(expected: Int, found: Int)
    /// The checksum does not match.
    case wrongChecksum
    /// The file is intact, but its contents cannot be decoded as the type.
    case notDecodable(String)
  }

  /// The path at which the file was.
  public var path: String
  /// The file's present path.
  public var setAsideAs: String
  /// The damage.
  public var reason: Reason

  /// Makes a description, for tests.
  public init(path: String, setAsideAs: String, reason: Reason) {
    self.path = path
    self.setAsideAs = setAsideAs
    self.reason = reason
  }
}
