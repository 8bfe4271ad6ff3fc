import Foundation

/// The properties of a file in a watched folder. A file has changed if they differ.
public struct FileFacts: Codable, Hashable, Sendable {
  /// The kind of a file.
  public enum Kind: Codable, Hashable, Sendable {
    case file
    case folder
    /// A symbolic link, whatever its target.
    case link
    case other
  }

  /// The kind of the file.
  public var kind: Kind
  /// Its size in bytes; 0 for a folder.
  public var size: Int
  /// The time of its last change, since 1970; zero for a folder, whose own files are not watched.
  public var modified: Duration
  /// The inode of the file, which differs if another file has replaced it.
  public var number: UInt64

  /// Makes facts, for tests.
  public init(kind: Kind = .file, size: Int = 0, modified: Duration = .zero, number: UInt64 = 0) {
    (self.kind, self.size, self.modified, self.number) = (kind, size, modified, number)
  }

  /// The date of its last change. Times that differ by less than a microsecond may have equal dates.
  public var modificationDate: Date { Date(timeIntervalSince1970: modified / .seconds(1)) }
}
