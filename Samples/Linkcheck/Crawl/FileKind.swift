import Foundation

/// The kind of file at a path, links followed.
enum FileKind: Equatable {
  case file(size: Int)
  case folder
  /// A device, a pipe or a socket, which should not be read to its end.
  case special
  case missing
  case unreadable(String)

  init(at path: String) { self.init(at: Array(path.utf8)) }

  init(at path: [UInt8]) {
    var status = stat()
    guard let path = FilePath.terminated(path) else {
      self = .missing
      return
    }
    guard stat(path, &status) == 0 else {
      self = errno == ENOENT || errno == ENOTDIR ? .missing : .unreadable(SystemError.message(of: errno))
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file(size: Int(status.st_size))
    case S_IFDIR: self = .folder
    default: self = .special
    }
  }
}
