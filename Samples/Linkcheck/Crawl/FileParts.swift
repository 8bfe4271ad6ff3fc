import Foundation
import LinkcheckReaders

/// Reads a file in parts.
struct FileParts {
  private let file: FileHandle
  private let size: Int

  /// - Parameter size: the size of a part in bytes.
  init(_ path: [UInt8], size: Int) throws {
    let descriptor = FilePath.terminated(path).map { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) } ?? -1
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    (file, self.size) = (FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), max(1, size))
  }

  /// The next part; `nil` at the end.
  func next() throws -> [UInt8]? {
    guard let part = try file.read(upToCount: size), !part.isEmpty else { return nil }
    return [UInt8](part)
  }

  func rewind(to offset: Int) throws { try file.seek(toOffset: UInt64(offset)) }

  /// The encoding of the page's text, and the length of its byte order mark; `nil` if the file is not text. Reads the
  /// file.
  func encoding(of markup: Markup) throws -> (TextEncoding, markLength: Int)? {
    let head = try file.read(upToCount: 1024) ?? Data()
    let said = PageText.encoding(ofPageBeginningWith: [UInt8](head), charset: nil, markup: markup)
    try rewind(to: 0)
    var isUTF8 = true
    var rest: [UInt8] = []
    let mayHaveZeros = if case .utf16? = said.encoding { said.markLength > 0 } else { false }
    while !Task.isCancelled, let part = try next() {
      if !mayHaveZeros, part.contains(0) { return nil }
      guard said.encoding == nil, isUTF8 else { continue }
      let bytes = rest + part
      let count = TextEncoding.utf8.wholeCount(of: bytes)
      rest = Array(bytes[count...])
      isUTF8 = TextEncoding.isUTF8(Array(bytes[..<count]))
    }
    return (said.encoding ?? (isUTF8 && rest.isEmpty ? .utf8 : .windows1252), said.markLength)
  }
}
