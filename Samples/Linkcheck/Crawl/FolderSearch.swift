import Foundation
import LinkcheckReaders
import Millrace

/// The pages in a folder.
enum FolderListing: Codable, Equatable, Sendable {
  case found(FolderContents)
  case unreadable(String)
}

struct FolderContents: Codable, Equatable, Sendable {
  /// The pages to be checked.
  var pages: [Address] = []
  /// The tutorials of DocC catalogues, to which articles may link.
  var tutorials: [Address] = []
  /// What is inside and could not be searched or looked at, and why.
  var unreadable: [Address: String] = [:]
}

/// Searches a folder and all in it for Markdown and HTML files. Hidden folders are left out, and those that
/// hold what other tools have put there.
struct FolderSearch: EffectComponent {
  func requests(in folder: Address?) -> Set<Address> { folder.map { [$0] } ?? [] }

  func run(_ folder: Address, send: Send<FolderListing>) async {
    await send(FolderListing(of: folder))
  }
}

extension FolderListing {
  /// Searches a folder; blocks meanwhile.
  init(of start: Address) {
    var contents = FolderContents()
    var folders = [start.filePath]
    while !Task.isCancelled, let folder = folders.popLast() {
      switch FolderNames(in: folder) {
      case .unreadable(let message) where contents == FolderContents() && folder == start.filePath:
        self = .unreadable(message)
        return
      case .unreadable(let message):
        contents.unreadable[Address(file: folder)] = message
      case .names(let names):
        for name in names where !Self.isLeftOut(name) {
          let path = folder + name
          switch FileKind(at: path) {
          case .folder where !Self.isLink(path): folders.append(path + [UInt8(ascii: "/")])
          case .file: contents.note(Address(file: path))
          case .unreadable(let message) where !Self.isLink(path):
            contents.unreadable[Address(file: path)] = message
          default: break
          }
        }
      }
    }
    self = .found(contents)
  }

  private static func isLeftOut(_ name: [UInt8]) -> Bool {
    name.first == UInt8(ascii: ".") || name.elementsEqual("node_modules".utf8)
  }

  /// Folders behind symbolic links are left out: they may lead in a circle. So are links that do.
  private static func isLink(_ path: [UInt8]) -> Bool {
    var status = stat()
    guard let path = FilePath.terminated(path) else { return false }
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}

extension FolderContents {
  fileprivate mutating func note(_ file: Address) {
    if Markup(fileExtension: file.fileExtension)?.isPage == true {
      pages.append(file)
    } else if file.fileExtension == "tutorial" {
      tutorials.append(file)
    }
  }
}

/// The names in one folder, as the bytes that they are.
enum FolderNames: Equatable {
  case names([[UInt8]])
  case unreadable(String)

  init(in folder: [UInt8]) {
    guard let path = FilePath.terminated(folder), let stream = opendir(path) else {
      self = .unreadable(SystemError.message(of: errno))
      return
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    errno = 0
    while let entry = readdir(stream) {
      // The name is as long as the system says, and the tuple that it is imported as has no such length.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != [UInt8(ascii: ".")], name != Array("..".utf8) { names.append(name) }
      errno = 0
    }
    // The listing so far is incomplete.
    self = errno == 0 ? .names(names) : .unreadable(SystemError.message(of: errno))
  }
}
