import MillraceEffects
import MillraceSpelling

/// A request whose response is written to a file.
///
/// ```swift
/// let film = HTTPDownloadRequest(
///   HTTPRequest("https://example.org/film", largestBody: 4 << 30), to: "/home/me/film")
/// ```
public struct HTTPDownloadRequest: Hashable, Sendable {
  /// The request to send.
  public var request: HTTPRequest
  /// The path of the file. An existing file is replaced when the download is complete, not before.
  public var file: String {
    get { exactFile.text }
    set { exactFile = ByteEqual(newValue) }
  }
  /// Whether the partial file of a failed or stopped download is kept, so that the next attempt continues it.
  public var resumes: Bool

  private var exactFile: ByteEqual

  /// Makes a download. The request's `largestBody` is 16 MiB by default; raise it for larger files.
  public init(_ request: HTTPRequest, to file: String, resumes: Bool = false) {
    self.request = request
    exactFile = ByteEqual(file)
    self.resumes = resumes
  }
}

/// The reason why a download failed.
@nonexhaustive public enum HTTPDownloadFailure: Error, Hashable, Sendable {
  /// The exchange failed, or the response was incomplete.
  case loading(HTTPFailure)
  /// The file could not be written, for the reason of the error number, such as `ENOSPC`. `EWOULDBLOCK` means that
  /// another resuming download is writing the file, `ELOOP` that there is a symbolic link at its path, `EISDIR` a
  /// folder, and `EEXIST` a FIFO, a socket or a device. These are left unchanged.
  case writing(path: String, errorNumber: Int32)

  /// Whether the same download may succeed later.
  public var isTransient: Bool {
    switch self {
    case .loading(let failure): failure.isTransient
    case .writing: false
    }
  }
}

extension HTTPDownloadFailure: RetryAfterProviding {
  /// The delay that the server demanded, if any.
  public var retryDelay: Duration? {
    if case .loading(let failure) = self { failure.retryDelay } else { nil }
  }
}
