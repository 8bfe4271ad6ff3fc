import Foundation
import LinkcheckReaders
import Millrace

/// The request to check a file.
struct FileRequest: Hashable, Sendable {
  var address: Address
  var largestPage: Int
}

/// The content of a path.
enum FileContent: Codable, Equatable, Sendable {
  /// A page with its size in bytes.
  case page(Markup, Document, size: Int)
  /// A folder, or a file that is no page.
  case other
  /// A path with another address: a folder with this page, or a path with detours through links.
  case elsewhere(Address)
  case oversized(limit: Int)
  /// A page in an encoding that cannot be read; the text is the name of the encoding.
  case undecodable(String)
  case missing
  case unreadable(String)
}

/// Checks files, and reads those that are pages.
struct FileReading: EffectComponent {
  func id(of request: FileRequest) -> Address { request.address }

  func requests(in files: Set<FileRequest>) -> Set<FileRequest> { files }

  func run(_ request: FileRequest, send: Send<(Address, FileContent)>) async {
    await send((request.address, FileContent(at: request.address, largestPage: request.largestPage)))
  }
}

extension FileContent {
  /// Checks the file; blocks while reading it.
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

  /// The page that a server or GitHub shows for a folder.
  private static func page(ofFolder path: [UInt8]) -> [UInt8]? {
    let names = [
      "index.html", "index.htm", "README.md", "Readme.md", "readme.md", "README.markdown", "index.md",
    ]
    return names.map { path + (path.last == UInt8(ascii: "/") ? "" : "/").utf8 + $0.utf8 }
      .first { if case .file = FileKind(at: $0) { true } else { false } }
  }

  /// Reads a page. In a page larger than `limit`, a single piece larger than that, such as a tag, cannot be read.
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
