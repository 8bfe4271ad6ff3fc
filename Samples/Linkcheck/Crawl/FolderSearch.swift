import Foundation
import Millrace

/// The pages in a folder.
enum FolderListing: Equatable, Sendable {
  case pages([Address])
  case unreadable(String)
}

/// Searches a folder and all in it for Markdown and HTML files. Hidden folders are left out, and those that
/// hold what other tools have put there.
struct FolderSearch: EffectComponent {
  func requests(in folder: Address?) -> Set<Address> { folder.map { [$0] } ?? [] }

  func run(_ folder: Address, send: Send<FolderListing>) async {
    await send(FolderListing(of: folder.filePath))
  }
}

extension FolderListing {
  /// Searches the folder at `path`, which ends with a slash; blocks meanwhile.
  init(of path: String) {
    var pages: [Address] = []
    var folders = [path]
    while let folder = folders.popLast() {
      do {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where !Self.isLeftOut(name) {
          switch FileKind(at: folder + name) {
          case .folder where !Self.isLink(folder + name): folders.append(folder + name + "/")
          case .file:
            let address = Address(file: folder + name)
            if Markup(fileExtension: address.fileExtension) != nil { pages.append(address) }
          default: break
          }
        }
      } catch {
        // A folder inside that cannot be read must not be passed over in silence either.
        self = .unreadable("\(folder): \(SystemError.message(of: error))")
        return
      }
    }
    self = .pages(pages)
  }

  private static func isLeftOut(_ name: String) -> Bool { name.hasPrefix(".") || name == "node_modules" }

  /// Folders behind symbolic links are left out: they may lead in a circle.
  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}
