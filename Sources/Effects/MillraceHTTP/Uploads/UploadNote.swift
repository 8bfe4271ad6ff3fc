import Foundation
import Millrace
import MillraceDescriptors

/// The note of an upload that may go on, which no other upload has meanwhile.
///
/// | state | guarded by | ends |
/// |---|---|---|
/// | `state`: the address | the lock | with the upload |
/// | `descriptor` | the lock | with the attempt, after which the note belongs to another |
final class UploadNote: Sendable {
  /// Whether there was a note about another file.
  let isOfAnother: Bool
  private let note: TransferNote
  private let identity: String
  private let state: Lock<(address: String?, descriptor: Int32?)>

  init(
    for upload: HTTPUploadRequest, _ kind: HTTPUploadResumption, of identity: String
  ) throws(HTTPUploadFailure) {
    self.identity = identity
    let kindless = "millrace upload "
    note = TransferNote(path: upload.note, heading: "\(kindless)1 \(kind)", url: upload.request.url)
    func failure(_ errorNumber: Int32) -> HTTPUploadFailure {
      .noting(path: upload.note, errorNumber: errorNumber)
    }
    let descriptor = try LockedFile.take(note.path, mode: 0o600).mapError { failure($0.number) }.get()
    do throws(HTTPUploadFailure) {
      let text = try note.text(in: descriptor).mapError { failure($0.number) }.get()
      // A file that is no note, not even an unfinished one, is somebody else's.
      guard text.hasPrefix(kindless) || kindless.hasPrefix(text) else { throw failure(EEXIST) }
      let parts = note.tag(in: text)?.split(separator: " ", maxSplits: 1) ?? []
      isOfAnother = parts.first.map { $0 != identity } ?? false
      state = Lock((parts.count == 2 && !isOfAnother ? String(parts[1]) : nil, descriptor))
    } catch {
      LockedFile.release(descriptor)
      throw error
    }
  }

  /// The attempt has ended.
  func end() {
    state.withLock { state in
      guard let descriptor = state.descriptor.take() else { return }
      if lseek(descriptor, 0, SEEK_END) == 0 { note.remove() }
      LockedFile.release(descriptor)
    }
  }

  /// The address under which the upload continues.
  var address: String? { state.withLock(\.address) }

  /// Notes the address; `nil` for none. Returns whether that was possible: if not, the next attempt begins anew.
  @discardableResult
  func keep(_ address: String?) -> Bool {
    state.withLock { state in
      guard let descriptor = state.descriptor else { return false }
      state.address = address
      guard let address else { return ftruncate(descriptor, 0) == 0 }
      return note.keep("\(identity) \(address)", in: descriptor)
    }
  }

  /// Takes an interim answer, which may contain the address.
  func interimArrived(_ head: HTTPHead, from address: HTTPAddress) {
    guard head.status == 104, head.headers.count("upload-draft-interop-version") == 8,
      let target = head.headers["location"].flatMap({ try? address.resolving($0).sent }),
      target != self.address
    else { return }
    keep(target)
  }
}
