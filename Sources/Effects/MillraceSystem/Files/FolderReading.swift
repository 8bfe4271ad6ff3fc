import Foundation

/// Lists folders. Blocks its thread.
enum FolderReading {
  /// The files of a folder, or only those with some names. Leaves out files that are deleted meanwhile, and files whose
  /// names are not UTF-8.
  static func files(of path: String, named only: Set<String>? = nil) -> Result<
    [String: FileFacts], FolderWatchFailure
  > {
    var status = stat()
    guard stat(path, &status) == 0 else { return .failure(failure(errno)) }
    guard status.st_mode & S_IFMT == S_IFDIR else { return .failure(.notAFolder) }
    let wanted = only?.filter { !["", ".", ".."].contains($0) && !$0.contains("/") }
    guard let names = wanted.map(Array.init) ?? (try? FileManager.default.contentsOfDirectory(atPath: path))
    else {
      // Opens the folder to learn the reason: the call above documents no error number.
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return .failure(failure(errno)) }
      close(descriptor)
      return .failure(.other(errno: EIO))
    }
    var files: [String: FileFacts] = [:]
    for name in names {
      var status = stat()
      guard lstat("\(path)/\(name)", &status) == 0 else {
        if errno == ENOENT { continue }
        return .failure(failure(errno))  // the file exists, but cannot be examined
      }
      files[name] = FileFacts(status)
    }
    return .success(files)
  }

  /// The time of the system's clock since 1970. File systems date changes by this clock.
  static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.sinceEpoch
  }

  private static func failure(_ number: Int32) -> FolderWatchFailure {
    switch number {
    case ENOENT: .noSuchFolder
    case ENOTDIR: .notAFolder
    case EACCES, EPERM: .notReadable
    default: .other(errno: number)
    }
  }
}

extension FileFacts {
  fileprivate init(_ status: stat) {
    let kind: Kind
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    case S_IFLNK: kind = .link
    default: kind = .other
    }
    #if canImport(Darwin)
    let modified = status.st_mtimespec.sinceEpoch
    #else
    let modified = status.st_mtim.sinceEpoch
    #endif
    let isFolder = kind == .folder
    self.init(
      kind: kind, size: isFolder ? 0 : Int(status.st_size), modified: isFolder ? .zero : modified,
      number: UInt64(truncatingIfNeeded: status.st_ino))
  }
}

extension timespec {
  fileprivate var sinceEpoch: Duration { .seconds(Int64(tv_sec)) + .nanoseconds(Int64(tv_nsec)) }
}
