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
    note = TransferNote(path: upload.note, heading: "millrace upload 1 \(kind)", url: upload.request.url)
    let descriptor = try LockedFile.take(note.path, mode: 0o600)
      .mapError { HTTPUploadFailure.noting(path: upload.note, errorNumber: $0.number) }.get()
    let parts = (try? note.tag().get())?.split(separator: " ", maxSplits: 1) ?? []
    isOfAnother = parts.first.map { $0 != identity } ?? false
    state = Lock((parts.count == 2 && !isOfAnother ? String(parts[1]) : nil, descriptor))
  }

  /// The attempt has ended.
  func end() {
    state.withLock { state in
      guard let descriptor = state.descriptor.take() else { return }
      if lseek(descriptor, 0, SEEK_END) == 0 { note.remove() }
      LockedFile.release(descriptor)
    }
  }

  /// The address under which the upload continues. If it cannot be noted, the next attempt begins anew.
  var address: String? {
    get { state.withLock(\.address) }
    set {
      state.withLock { state in
        guard let descriptor = state.descriptor else { return }
        state.address = newValue
        if let newValue { _ = note.keep("\(identity) \(newValue)") } else { ftruncate(descriptor, 0) }
      }
    }
  }

  /// Takes an interim answer, which may contain the address.
  func interimArrived(_ head: HTTPHead, from address: HTTPAddress) {
    guard head.status == 104, head.headers.count("upload-draft-interop-version") == 8,
      let target = head.headers["location"].flatMap({ try? address.resolving($0).sent }),
      target != self.address
    else { return }
    self.address = target
  }
}
