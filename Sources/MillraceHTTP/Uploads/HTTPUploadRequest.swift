import MillraceEffects

/// A request whose body is a file.
///
/// ```swift
/// let photo = HTTPUploadRequest(
///   HTTPRequest("https://example.org/photo", method: "PUT"), from: "/home/me/photo")
/// ```
public struct HTTPUploadRequest: Hashable, Sendable {
  /// What is asked for. Its body is not sent, the file is; its method must be one that has a body.
  public var request: HTTPRequest
  /// The path of the file. It is read while it is sent, and must not change meanwhile.
  public var file: String

  /// Makes an upload. Mind the request's timeout, which is 30 seconds for the whole exchange unless told otherwise.
  public init(_ request: HTTPRequest, from file: String) {
    self.request = request
    self.file = file
  }
}

extension HTTPUploadFailure: RetryDelaying {
  /// What the server has said, if it has.
  public var retryDelay: Duration? {
    if case .loading(let failure) = self { failure.retryDelay } else { nil }
  }
}

/// Why an upload brought no response that its request accepts.
public enum HTTPUploadFailure: Error, Hashable, Sendable {
  /// The exchange has failed.
  case loading(HTTPFailure)
  /// The file cannot be read, for the reason that the error number tells, such as `ENOENT`.
  case reading(path: String, errorNumber: Int32)

  /// Whether the same upload may do better later.
  public var isTransient: Bool {
    switch self {
    case .loading(let failure): failure.isTransient
    case .reading: false
    }
  }
}
