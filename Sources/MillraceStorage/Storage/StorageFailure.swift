/// Why a value could not be loaded or saved.
public enum StorageFailure: Error, Hashable, Sendable {
  /// The folder of the file does not exist.
  case noSuchFolder(String)
  /// There is a folder where the file is to be.
  case isDirectory(String)
  /// The system does not permit it.
  case permission(String)
  /// The disk, or what this user may have of it, is full. The file is as it was.
  case diskFull(String)
  /// Another process, or another ``FileStorage`` of this one, has the file.
  case locked(String)
  /// The file was written by a newer version of the program. It is left as it is, and nothing is saved over it.
  case newerVersion(String, found: UInt32, known: UInt32)
  /// The file is intact and of an older version, of which the format's migrations can make no value. It is left as
  /// it is, and nothing is saved over it.
  case notMigratable(String, from: UInt32, reason: String)
  /// The file does not begin as one of these does, or is no regular file: it is somebody else's. It is left as it
  /// is, and nothing is saved over it.
  case foreignFile(String)
  /// There is a symbolic link where the file is to be. It is left as it is, and so is what it leads to.
  case isSymbolicLink(String)
  /// There is a file which this storage has not loaded, or which somebody has changed since. Nothing is saved over
  /// what nobody has seen: load it first, or remove it.
  case notLoaded(String)
  /// The value cannot be encoded.
  case notEncodable(String)
  /// The system failed in another way, in its words.
  case unreadable(String, errorNumber: Int32)
}

/// A file whose contents could not be used, and where it was put.
public struct DamagedFile: Hashable, Sendable {
  /// What is wrong with a file.
  public enum Reason: Hashable, Sendable {
    /// It does not begin as a file of this kind does.
    case notThisFormat
    /// It is shorter or longer than it says.
    case wrongLength(expected: Int, found: Int)
    /// Its checksum is another than the one written in it.
    case wrongChecksum
    /// It is intact, and is no encoded value of the type.
    case notDecodable(String)
  }

  /// Where the file was.
  public var path: String
  /// Where it is now.
  public var setAsideAs: String
  /// What is wrong with it.
  public var reason: Reason

  /// Makes a description, for tests that answer by hand.
  public init(path: String, setAsideAs: String, reason: Reason) {
    self.path = path
    self.setAsideAs = setAsideAs
    self.reason = reason
  }
}
