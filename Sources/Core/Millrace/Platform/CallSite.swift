/// The place in the source from which an action was sent or a component was connected.
public struct CallSite: Sendable, Hashable, CustomStringConvertible {
  /// The file, in the form `Module/File.swift`.
  public let fileID: StaticString
  /// The line in the file, counted from 1.
  public let line: UInt32

  /// Makes a call site from the values of `#fileID` and `#line` at the caller.
  public init(fileID: StaticString, line: UInt) {
    self.fileID = fileID
    self.line = UInt32(clamping: line)
  }

  /// The file and the line, in the form `Module/File.swift:12`.
  public var description: String { "\(fileID):\(line)" }

  /// Whether both are the same file and line. Compares text, so use it in tests and tools, not once per action.
  public static func == (left: CallSite, right: CallSite) -> Bool {
    left.line == right.line && left.fileID.description == right.fileID.description
  }

  /// Hashes the file's text and the line.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(fileID.description)
    hasher.combine(line)
  }
}
