import Foundation
import Millrace

/// A file to look at.
struct FileRequest: Hashable, Sendable {
  var address: Address
  var largestPage: Int
}

/// What is at a path.
enum FileContent: Equatable, Sendable {
  case page(Markup, Data)
  /// A folder, or a file that is no page.
  case other
  case oversized(limit: Int)
  case missing
  case unreadable(String)
}

/// Looks at files, and reads those that are pages.
struct FileReading: EffectComponent {
  func id(of request: FileRequest) -> Address { request.address }

  func requests(in files: Set<FileRequest>) -> Set<FileRequest> { files }

  func run(_ request: FileRequest, send: Send<(Address, FileContent)>) async {
    await send((request.address, FileContent(at: request.address.filePath, largestPage: request.largestPage)))
  }
}

extension FileContent {
  /// Looks at the file; blocks while it is read.
  init(at path: String, largestPage: Int) {
    switch FileKind(at: path) {
    case .missing: self = .missing
    case .unreadable(let message): self = .unreadable(message)
    case .folder, .special: self = .other
    case .file(let size):
      guard let markup = Markup(fileExtension: Address(file: path).fileExtension) else {
        self = .other
        return
      }
      guard size <= largestPage else {
        self = .oversized(limit: largestPage)
        return
      }
      do {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        self = data.contains(0) ? .unreadable("not a text file") : .page(markup, data)
      } catch {
        self = .unreadable(SystemError.message(of: error))
      }
    }
  }
}
