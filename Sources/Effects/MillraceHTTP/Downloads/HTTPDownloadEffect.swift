import Millrace

/// Downloads the files that the state asks for.
///
/// ```swift
/// store.connect(HTTPDownloadEffect().limited(to: 2), to: \.films, action: AppAction.film)
/// ```
///
/// A download takes about 2 MiB of memory, however large it is. Its bytes are written beside the file, under the file's
/// name followed by eight characters and `.part`, and renamed when they are complete. So there is never a partial file
/// under the file's name. A download that fails or leaves the state removes the partial file; if the process ends
/// first, the partial file stays. Data is not flushed to the disk.
///
/// With ``HTTPDownloadRequest/resumes``, the partial file is kept as `.part` even when the process ends, with a note
/// `.part-of` of its address and version. The next download to the file asks for the remaining bytes if the version is
/// still the same, and for the whole file otherwise. This needs a server that sends a strong `ETag`; with any other,
/// each attempt starts over. Two such downloads to one file exclude each other, even across processes.
///
/// A file is complete if all bytes that the server announced have arrived or, for a body without a length, if the body
/// has ended as HTTP requires. Anything else is a failure: ``HTTPFailure/cutOff(received:expected:)`` for too few
/// bytes, ``HTTPFailure/notHTTP(_:)`` for a part of the file that was not asked for or more bytes than announced. If
/// the request itself has a `range` field, the file is that part.
///
/// If the request names a known version that is still current, the file is left unchanged, and
/// ``HTTPDownloadEvent/finished(_:received:of:)`` is sent with the status 304.
///
/// The identity of a download is its file: two downloads to one file run one after the other.
public struct HTTPDownloadEffect: EffectComponent {
  private let client: HTTPClient

  /// Makes an effect that uses `client`, which effects may share.
  public init(client: HTTPClient = HTTPClient()) { self.client = client }

  /// Returns the bytes of the file's path.
  public func id(of download: HTTPDownloadRequest) -> [UInt8] { Array(download.file.utf8) }

  /// Returns every download in the state. If two have the same file, the store reports it.
  public func requests(in downloads: Set<HTTPDownloadRequest>) -> Set<HTTPDownloadRequest> { downloads }

  /// Downloads one file.
  public func run(
    _ download: HTTPDownloadRequest, send: Send<HTTPDownloadEvent>
  ) async throws(HTTPDownloadFailure) {
    var outcome = try await attempt(download, send)
    // The partial file was removed, so this attempt asks for the whole file.
    if outcome == nil { outcome = try await attempt(download, send) }
    guard let (response, received) = outcome, !Task.isCancelled else { return }
    await send(.finished(response, received: received, of: download))
  }

  /// Loads the missing part of the file; returns `nil` if the existing bytes are no part of it.
  private func attempt(
    _ download: HTTPDownloadRequest, _ send: Send<HTTPDownloadEvent>
  ) async throws(HTTPDownloadFailure) -> (HTTPResponse, received: Int)? {
    let file = try DownloadFile(for: download)
    defer { file.giveUp() }
    let start = download.start(file.start)
    let request = download.request(from: start)
    let limit = download.request.largestBody
    var meter = ProgressMeter()
    var received = 0
    var range = DownloadRange.notModified
    var broken: HTTPDownloadFailure?
    let response: HTTPResponse
    do throws(HTTPFailure) {
      response = try await client.stream(request) { part in
        do throws(HTTPDownloadFailure) {
          switch part {
          case .head(let head, let length):
            range = DownloadRange(head, asked: start, hasOwnRange: download.request.headers["range"] != nil)
            switch range {
            case .whole(let tag): try file.begin(as: tag)
            case .part: try file.begin(as: nil)
            case .rest: received = start?.offset ?? 0
            case .wrong, .startOver, .notModified: return .stop
            }
            guard length ?? 0 <= limit - received else { throw .loading(.bodyTooLarge(limit: limit)) }
            meter = ProgressMeter(total: length.map { $0 + received })
            _ = meter.transferred(received)
          case .body(let bytes):
            guard bytes.count <= limit - received else { throw .loading(.bodyTooLarge(limit: limit)) }
            guard bytes.count <= range.end - received else { throw .loading(.longerThanItsRange) }
            try file.write(bytes)
            received += bytes.count
            if let progress = meter.transferred(bytes.count) {
              guard await send(.progressed(progress, of: download)) == .reduced else {
                throw .loading(.cancelled)
              }
            }
          }
          return .goOn
        } catch {
          broken = error
          return .stop
        }
      }
    } catch {
      guard case .statusNotAccepted(status: 416, _, _) = error, start != nil else {
        throw .loading(error)
      }
      file.discard()
      return nil
    }
    if let broken {
      if [.loading(.bodyTooLarge(limit: limit)), .loading(.longerThanItsRange)].contains(broken) {
        file.discard()
      }
      throw broken
    }
    if Task.isCancelled { throw .loading(.cancelled) }
    switch range {
    case .rest(end: _, ofAll: let all) where received < all:
      // The received bytes stay for the next attempt.
      throw .loading(.cutOff(received: received, expected: all))
    case .part(let count) where received < count: throw .loading(.cutOff(received: received, expected: count))
    case .whole, .part, .rest: try file.keep()
    case .notModified: file.discard()
    case .startOver:
      file.discard()
      return nil
    case .wrong:
      file.discard()
      throw .loading(.notHTTP("it sends another part of the file than was asked for"))
    }
    return (response, received)
  }

  /// Returns ``HTTPDownloadEvent/failed(_:of:)``.
  public func action(for failure: HTTPDownloadFailure, of download: HTTPDownloadRequest) -> HTTPDownloadEvent
  {
    .failed(failure, of: download)
  }
}

extension HTTPFailure {
  fileprivate static let longerThanItsRange = notHTTP("it sends more of the file than it says")
}

extension HTTPDownloadRequest {
  /// The point at which the download continues, if a part of the file exists and the request itself asks for no part.
  fileprivate func start(_ start: (offset: Int, tag: String)?) -> (offset: Int, tag: String)? {
    request.acceptedStatuses.contains(206) && request.headers["range"] == nil ? start : nil
  }

  /// Returns the request for the rest of the file, or for the whole file if no part of it exists.
  fileprivate func request(from start: (offset: Int, tag: String)?) -> HTTPRequest {
    var request = request
    guard resumes else { return request }
    // A part of a coded body cannot be continued.
    if request.headers["accept-encoding"] == nil { request.headers["accept-encoding"] = "identity" }
    if let start {
      request.headers["range"] = "bytes=\(start.offset)-"
      request.headers["if-range"] = start.tag
    }
    return request
  }
}

/// An event of an ``HTTPDownloadEffect``.
///
/// ```swift
/// case .film(.progressed(let progress, of: _)): state.watched = progress.fraction ?? 0
/// case .film(.finished(_, received: _, of: let film)): state.films.remove(film)
/// case .film(.failed(_, of: let film)): state.films.remove(film)
/// ```
public enum HTTPDownloadEvent: Hashable, Sendable {
  /// Reports the number of bytes received. Sent at most ``HTTPProgress/mostReports`` times per download.
  case progressed(HTTPProgress, of: HTTPDownloadRequest)
  /// The file is complete. The response has no body; `received` is the size of the file in bytes, including bytes of
  /// an earlier attempt. With the status 304 the file is unchanged.
  case finished(HTTPResponse, received: Int, of: HTTPDownloadRequest)
  /// The download failed; a file that was there before is unchanged.
  case failed(HTTPDownloadFailure, of: HTTPDownloadRequest)

  /// The download of this event.
  public var download: HTTPDownloadRequest {
    switch self {
    case .progressed(_, let download), .finished(_, _, let download), .failed(_, let download): download
    }
  }
}
