import MillraceEffects

/// A request whose body is a file.
///
/// ```swift
/// let photo = HTTPUploadRequest(
///   HTTPRequest("https://example.org/photo", method: "PUT"), from: "/home/me/photo")
/// ```
public struct HTTPUploadRequest: Hashable, Sendable {
  /// The request to send. Its body is replaced by the file; its method must allow a body.
  public var request: HTTPRequest
  /// The path of the file, which must not change while it is sent.
  public var file: String {
    get { exactFile.text }
    set { exactFile = ByteEqual(newValue) }
  }

  private var exactFile: ByteEqual

  /// Makes an upload. The request's timeout limits the whole exchange and is 30 seconds by default; raise it for
  /// large files.
  public init(_ request: HTTPRequest, from file: String) {
    self.request = request
    exactFile = ByteEqual(file)
  }
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
  /// The file cannot be read; the error number, such as `ENOENT`, says why.
  case reading(path: String, errorNumber: Int32)

  /// Whether the same upload may succeed later.
  public var isTransient: Bool {
    switch self {
    case .loading(let failure): failure.isTransient
    case .reading: false
    }
  }
}
