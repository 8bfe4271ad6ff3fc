import Foundation
import Millrace
import MillraceDescriptors

/// A file that is being written under a temporary name. It gets its final name when it is complete.
///
/// Used by one task at a time.
final class DownloadFile {
  private let path: String
  private let partial: String
  private let descriptor: Int32
  /// The note beside the partial file; `nil` for a file that ends with its download.
  private let note: TransferNote?
  private var isOpen = true
  private var isResumable = false

  /// The point at which the download may continue: the number of bytes, and their version.
  private(set) var start: (offset: Int, tag: String)?

  init(for download: HTTPDownloadRequest) throws(HTTPDownloadFailure) {
    path = download.file
    try Self.checkPlace(of: path)
    guard download.resumes else {
      partial = neighbour(of: path, ".\(UUID().uuidString.prefix(8)).part")
      note = nil
      descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { throw .writing(path: path, errorNumber: errno) }
      return
    }
    partial = neighbour(of: path, ".part")
    let note = TransferNote(
      path: neighbour(of: path, ".part-of"), heading: "millrace download 1", url: download.request.url)
    self.note = note
    descriptor = try LockedFile.take(partial).mapError(Self.failure(at: path)).get()
    let size = Int(lseek(descriptor, 0, SEEK_END))
    isResumable = size > 0  // the file stays if the note cannot be read
    let tag = size > 0 ? try note.tag().mapError(Self.failure(at: note.path)).get() : nil
    start = tag.map { (size, $0) }
    isResumable = start != nil
  }

  deinit { giveUp() }

  /// Begins the file anew, as the version with `tag` if a later download may continue it.
  func begin(as tag: String?) throws(HTTPDownloadFailure) {
    start = nil
    isResumable = false
    note?.remove()
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw .writing(path: path, errorNumber: errno)
    }
    // A file without a note starts over in the next download.
    if let tag, let note { isResumable = note.keep(tag) }
  }

  func write(_ bytes: Data) throws(HTTPDownloadFailure) {
    try bytes.withUnsafeBytes { DescriptorIO.writeAll($0, to: descriptor) }.mapError(Self.failure(at: path))
      .get()
  }

  private static func failure(at path: String) -> (DescriptorIO.Failure) -> HTTPDownloadFailure {
    { .writing(path: path, errorNumber: $0.number) }
  }

  /// The file is complete. Gives it its name.
  func keep() throws(HTTPDownloadFailure) {
    guard isOpen else { return }
    try Self.checkPlace(of: path)
    isOpen = false
    // The lock ends with the descriptor, so the file gets its name before.
    let errorNumber = rename(partial, path) == 0 ? 0 : errno
    if errorNumber != 0 { unlink(partial) }
    note?.remove()
    // A network file system reports failed writes here.
    guard LockedFile.release(descriptor) == 0, errorNumber == 0 else {
      throw .writing(path: path, errorNumber: errorNumber == 0 ? errno : errorNumber)
    }
  }

  /// Ends a download without a complete file. The received bytes stay if a later download can continue them. Does
  /// nothing for a file that was kept.
  func giveUp() {
    guard isOpen else { return }
    if isResumable, lseek(descriptor, 0, SEEK_END) > 0 {
      isOpen = false
      LockedFile.release(descriptor)
    } else {
      discard()
    }
  }

  /// Drops the received bytes. Does nothing for a file that was kept.
  func discard() {
    guard isOpen else { return }
    isOpen = false
    note?.remove()
    unlink(partial)
    LockedFile.release(descriptor)
  }

  /// Throws if there is anything except a file at the path: a symbolic link, a pipe, a device. Changes nothing.
  private static func checkPlace(of path: String) throws(HTTPDownloadFailure) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return }
    switch facts.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFLNK: throw .writing(path: path, errorNumber: ELOOP)
    case S_IFDIR: throw .writing(path: path, errorNumber: EISDIR)
    default: throw .writing(path: path, errorNumber: EEXIST)
    }
  }
}
