import MillraceDescriptors
import MillraceEffects
import MillraceSpelling

/// A request whose body is a file.
///
/// ```swift
/// let photo = HTTPUploadRequest(
///   HTTPRequest("https://example.org/photo", method: "PUT"), from: "/home/me/photo")
/// ```
public struct HTTPUploadRequest: Hashable, Sendable {
  /// The request to send. The file replaces its body. Its method must allow a body.
  public var request: HTTPRequest
  /// The path of the file. The file must not change while it is sent.
  public var file: String {
    get { exactFile.text }
    set { exactFile = ByteEqual(newValue) }
  }

  /// How the next attempt continues a failed, stopped or killed one; `nil` if it begins anew.
  public var resumes: HTTPUploadResumption?
  /// The path of the note that an upload with ``resumes`` keeps until it ends. The note contains the server's address
  /// for the upload, and the facts that identify the file. By default it is beside the file, with the suffix
  /// `.upload-of`.
  public var note: String {
    get { exactNote?.text ?? neighbour(of: file, ".upload-of") }
    set { exactNote = ByteEqual(newValue) }
  }
  /// Whether the SHA-256 of the file is sent as `Repr-Digest` (RFC 9530), so that the server can check its copy. The
  /// file is read once more for it in each attempt.
  public var sendsDigest: Bool

  private var exactFile: ByteEqual
  private var exactNote: ByteEqual?

  /// Makes an upload. The request's timeout limits each exchange and is 30 seconds by default; raise it for large
  /// files.
  ///
  /// - Parameter note: the path of the note; `nil` for one beside the file.
  public init(
    _ request: HTTPRequest, from file: String, resumes: HTTPUploadResumption? = nil, note: String? = nil,
    sendsDigest: Bool = false
  ) {
    self.request = request
    (self.resumes, self.sendsDigest) = (resumes, sendsDigest)
    exactFile = ByteEqual(file)
    exactNote = note.map(ByteEqual.init)
  }
}

/// The protocol by which an upload continues an earlier attempt.
public enum HTTPUploadResumption: String, Hashable, Sendable {
  /// The IETF's *Resumable Uploads for HTTP* (draft-ietf-httpbis-resumable-upload-12, interop version 8), which is not
  /// an RFC yet. The request sends the whole file. The server may name an address for the upload in an interim answer
  /// 104. Later attempts ask there by `HEAD` how much has arrived, and send the rest by `PATCH`. Limits that a server
  /// names (`Upload-Limit`) are ignored. For a server that does not know the draft, this is a plain upload, which each
  /// attempt begins anew.
  case uploadResource
  /// Ranges, as storage services use them. The request's address is that of one upload, which the program has got from
  /// the server before. The first attempt sends the whole file with a `Content-Range`. Later ones first ask what has
  /// arrived, by an empty body with `Content-Range: bytes */SIZE`, and then send the rest. The server answers 308 with
  /// a `Range` while something is missing. A server that does not know this may take the question for an empty file.
  case contentRanges
}

extension HTTPUploadFailure: RetryAfterProviding {
  /// The delay that the server demanded, if any.
  public var retryDelay: Duration? {
    if case .loading(let failure) = self { failure.retryDelay } else { nil }
  }
}

/// The reason why an upload failed.
@nonexhaustive public enum HTTPUploadFailure: Error, Hashable, Sendable {
  /// The exchange failed.
  case loading(HTTPFailure)
  /// The file cannot be read, for the reason of the error number, such as `ENOENT`.
  case reading(path: String, errorNumber: Int32)
  /// The note cannot be read or made, for the reason of the error number. `EWOULDBLOCK` means that another upload has
  /// it.
  case noting(path: String, errorNumber: Int32)
  /// The file changed while it was sent. With ``HTTPUploadResumption/contentRanges``, it may also have changed after
  /// the server got a part of it, so that another address is needed.
  case changed(path: String)
  /// The server's SHA-256 of the complete upload is not that of the file.
  case damaged(path: String)

  /// Whether the same upload may succeed later.
  public var isTransient: Bool {
    switch self {
    case .loading(let failure): failure.isTransient
    case .noting(_, let errorNumber): errorNumber == LockedFile.isTaken
    case .reading, .changed, .damaged: false
    }
  }
}
