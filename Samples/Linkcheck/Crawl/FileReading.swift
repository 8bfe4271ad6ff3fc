import Foundation
import LinkcheckReaders
import Millrace

/// A file to look at.
struct FileRequest: Hashable, Sendable {
  var address: Address
  var largestPage: Int
}

/// The content of a path.
enum FileContent: Codable, Equatable, Sendable {
  /// A page of so many bytes.
  case page(Markup, Document, size: Int)
  /// A folder, or a file that is no page.
  case other
  /// A folder, whose page this is; or what has another address without links that lead back.
  case elsewhere(Address)
  case oversized(limit: Int)
  /// A page whose characters are written in a way that cannot be read, by its name.
  case undecodable(String)
  case missing
  case unreadable(String)
}

/// Looks at files, and reads those that are pages.
struct FileReading: EffectComponent {
  func id(of request: FileRequest) -> Address { request.address }

  func requests(in files: Set<FileRequest>) -> Set<FileRequest> { files }

  func run(_ request: FileRequest, send: Send<(Address, FileContent)>) async {
    await send((request.address, FileContent(at: request.address, largestPage: request.largestPage)))
  }
}

extension FileContent {
  /// Looks at the file; blocks while it is read.
  init(at address: Address, largestPage: Int) {
    let path = address.filePath
    let kind = FileKind(at: path)
    if kind != .missing, let shorter = FilePath.withoutLoops(path) {
      self = .elsewhere(Address(file: shorter))
      return
    }
    switch kind {
    case .missing: self = .missing
    case .unreadable(let message): self = .unreadable(message)
    case .folder: self = Self.page(ofFolder: path).map { .elsewhere(Address(file: $0)) } ?? .other
    case .special: self = .other
    case .file:
      guard let markup = Markup(fileExtension: address.fileExtension) else {
        self = .other
        return
      }
      do {
        self = try .init(
          FileParts(path, size: min(largestPage, 1 << 20)), markup, isArticle: Catalogues.contain(address),
          keeping: largestPage)
      } catch {
        self = .unreadable(SystemError.message(of: error))
      }
    }
  }

  /// The page that a server or GitHub shows of a folder.
  private static func page(ofFolder path: [UInt8]) -> [UInt8]? {
    let names = [
      "index.html", "index.htm", "README.md", "Readme.md", "readme.md", "README.markdown", "index.md",
    ]
    return names.map { path + (path.last == UInt8(ascii: "/") ? "" : "/").utf8 + $0.utf8 }
      .first { if case .file = FileKind(at: $0) { true } else { false } }
  }

  /// Reads a page. Of one larger than `limit`, a single piece that is larger too, such as a tag, has no room.
  private init(_ parts: FileParts, _ markup: Markup, isArticle: Bool, keeping limit: Int) throws {
    guard let (encoding, markLength) = try parts.encoding(of: markup) else {
      self = .unreadable("not a text file")
      return
    }
    var reader = PartReader(markup, encoding, isArticle: isArticle)
    var size = 0
    try parts.rewind(to: markLength)
    while !Task.isCancelled, let part = try parts.next() {
      if let name = encoding.nameIfUnreadable(part) {
        self = .undecodable(name)
        return
      }
      size += part.count
      reader.take(part, isLast: false)
      guard min(size, reader.keptCount) <= limit else {
        self = .oversized(limit: limit)
        return
      }
    }
    reader.take([], isLast: true)
    self = .page(markup, reader.document, size: size + markLength)
  }
}
