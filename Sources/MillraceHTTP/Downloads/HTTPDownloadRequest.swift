import MillraceEffects

/// A response whose body goes to a file.
///
/// ```swift
/// let film = HTTPDownloadRequest(
///   HTTPRequest("https://example.org/film", largestBody: 4 << 30), to: "/home/me/film")
/// ```
public struct HTTPDownloadRequest: Hashable, Sendable {
  /// What is asked for.
  public var request: HTTPRequest
  /// The path of the file. A file that is there is replaced when the download is whole, and not before.
  public var file: String
  /// Whether what has come of a download that ends early is kept, for another attempt to go on with.
  public var resumes: Bool

  /// Makes a download. Mind the request's `largestBody`, which is 16 MiB unless told otherwise.
  public init(_ request: HTTPRequest, to file: String, resumes: Bool = false) {
    self.request = request
    self.file = file
    self.resumes = resumes
  }
}

/// Why there is no file.
public enum HTTPDownloadFailure: Error, Hashable, Sendable {
  /// The response could not be had, or not as a whole.
  case loading(HTTPFailure)
  /// The file could not be written, for the reason that the error number tells, such as `ENOSPC`; `EWOULDBLOCK` if
  /// another download that resumes is writing it.
  case writing(path: String, errorNumber: Int32)

  /// Whether the same download may do better later.
  public var isTransient: Bool {
    switch self {
    case .loading(let failure): failure.isTransient
    case .writing: false
    }
  }
}

extension HTTPDownloadFailure: RetryDelaying {
  /// What the server has said, if it has.
  public var retryDelay: Duration? {
    if case .loading(let failure) = self { failure.retryDelay } else { nil }
  }
}
