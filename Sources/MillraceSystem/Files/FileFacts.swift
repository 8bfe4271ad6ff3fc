import Foundation

/// What is known of a file in a watched folder: enough to see that it has changed.
public struct FileFacts: Hashable, Sendable {
  /// The kind of a file.
  public enum Kind: Hashable, Sendable {
    case file
    case folder
    /// A symbolic link, wherever it leads.
    case link
    case other
  }

  /// The kind of the file.
  public var kind: Kind
  /// Its size in bytes; 0 for a folder.
  public var size: Int
  /// When it was changed last, since 1970; zero for a folder, whose own files are not watched.
  public var modified: Duration
  /// The number of the file in its file system: a file that takes the place of another one has a different number.
  public var number: UInt64

  /// Makes facts, for tests.
  public init(kind: Kind = .file, size: Int = 0, modified: Duration = .zero, number: UInt64 = 0) {
    (self.kind, self.size, self.modified, self.number) = (kind, size, modified, number)
  }

  /// When it was changed last. Two changes within a microsecond may have one date.
  public var modificationDate: Date { Date(timeIntervalSince1970: modified / .seconds(1)) }
}
