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
  /// Files and folders that could not be searched or read, with the reasons.
  var unreadable: [Address: String] = [:]
}

/// Searches a folder and its subfolders for Markdown and HTML files. Leaves out hidden folders, and folders with files
/// that other tools have installed.
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

  /// Skips folders behind symbolic links, which may lead in a circle, and links that do.
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

/// The names in one folder, as bytes.
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
      // Ends the name at its zero byte: the tuple as which it is imported has another length.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != [UInt8(ascii: ".")], name != Array("..".utf8) { names.append(name) }
      errno = 0
    }
    // An error means that the names read so far are incomplete.
    self = errno == 0 ? .names(names) : .unreadable(SystemError.message(of: errno))
  }
}
