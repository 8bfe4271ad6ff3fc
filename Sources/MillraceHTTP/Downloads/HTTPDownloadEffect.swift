import Millrace

/// Loads the bodies that the state asks for into files.
///
/// ```swift
/// store.connect(HTTPDownloadEffect().limited(to: 2), to: \.films, action: AppAction.film)
/// ```
///
/// A download takes some 2 MiB of memory, however large it is. What has come is kept beside the file, under the
/// file's name with eight characters and `.part` after it, and is renamed when it is whole: there is never half a file
/// under its name. A download that fails or leaves the state removes what has come; one that ends with the process
/// cannot. Nothing is forced onto the disk.
///
/// One that ``HTTPDownloadRequest/resumes`` keeps what has come instead, as `.part`, with a note `.part-of` of its address and
/// version, also when the process ends. The next download to the file asks for the rest, if the version is still the
/// same, and for the whole file otherwise. That takes a server that names versions by a strong `ETag`; with any other
/// each attempt starts over. Two such downloads to one file, also of two processes, exclude each other.
///
/// Where the request tells a version that it knows, and that is still the current one, the file is left as it is, and
/// ``HTTPDownloadEvent/finished(_:received:of:)`` comes with the status 304.
///
/// A file is the identity of its download: two downloads to one file follow each other.
public struct HTTPDownloadEffect: EffectComponent {
  private let client: HTTPClient

  /// Loads through `client`; effects may share one.
  public init(client: HTTPClient = HTTPClient()) { self.client = client }

  /// The path of the file.
  public func id(of download: HTTPDownloadRequest) -> String { download.file }

  /// Every download in the state. If two have one file, the store reports it.
  public func requests(in downloads: Set<HTTPDownloadRequest>) -> Set<HTTPDownloadRequest> { downloads }

  /// Loads one file.
  public func run(
    _ download: HTTPDownloadRequest, send: Send<HTTPDownloadEvent>
  ) async throws(HTTPDownloadFailure) {
    var outcome = try await attempt(download, send)
    // What was there is gone now, so that this asks for the whole.
    if outcome == nil { outcome = try await attempt(download, send) }
    guard let (response, received) = outcome, !Task.isCancelled else { return }
    await send(.finished(response, received: received, of: download))
  }

  /// Loads what is missing of the file; `nil` if what is there turns out to be no part of it.
  private func attempt(
    _ download: HTTPDownloadRequest, _ send: Send<HTTPDownloadEvent>
  ) async throws(HTTPDownloadFailure) -> (HTTPResponse, received: Int)? {
    let file = try DownloadFile(for: download)
    defer { file.giveUp() }
    let request = download.request(from: file.start)
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
            range = DownloadRange(head, asked: file.start)
            switch range {
            case .whole(let tag): try file.begin(as: tag)
            case .rest: received = file.start?.offset ?? 0
            case .wrong, .unsatisfiable, .notModified: return .stop
            }
            guard length ?? 0 <= limit - received else { throw .loading(.bodyTooLarge(limit: limit)) }
            meter = ProgressMeter(total: length.map { $0 + received })
            _ = meter.transferred(received)
          case .body(let bytes):
            guard bytes.count <= limit - received else { throw .loading(.bodyTooLarge(limit: limit)) }
            try file.write(bytes)
            received += bytes.count
            if let progress = meter.transferred(bytes.count) {
              await send(.progressed(progress, of: download))
            }
          }
          return .goOn
        } catch {
          broken = error
          return .stop
        }
      }
    } catch {
      guard case .statusNotAccepted(status: 416, _, _) = error, file.start != nil else {
        throw .loading(error)
      }
      file.discard()
      return nil
    }
    if let broken {
      if case .loading(.bodyTooLarge) = broken { file.discard() }
      throw broken
    }
    if Task.isCancelled { throw .loading(.cancelled) }
    switch range {
    case .rest(ofAll: let all?) where received < all:
      // What has come stays, to be gone on with.
      throw .loading(.cutOff(received: received, expected: all))
    case .whole, .rest: try file.keep()
    case .notModified: file.discard()
    case .unsatisfiable:
      file.discard()
      return nil
    case .wrong:
      file.discard()
      throw .loading(.notHTTP("it sends another part of the file than was asked for"))
    }
    return (response, received)
  }

  /// `.failed`
  public func action(for failure: HTTPDownloadFailure, of download: HTTPDownloadRequest) -> HTTPDownloadEvent
  {
    .failed(failure, of: download)
  }
}

extension HTTPDownloadRequest {
  /// What is asked for where a part of the file may be there.
  fileprivate func request(from start: (offset: Int, tag: String)?) -> HTTPRequest {
    var request = request
    guard resumes else { return request }
    // Of a coded body no part could be gone on with.
    if request.headers["accept-encoding"] == nil { request.headers["accept-encoding"] = "identity" }
    if let start, request.acceptedStatuses.contains(206), request.headers["range"] == nil {
      request.headers["range"] = "bytes=\(start.offset)-"
      request.headers["if-range"] = start.tag
    }
    return request
  }
}

/// What an ``HTTPDownloadEffect`` sends.
///
/// ```swift
/// case .film(.progressed(let progress, of: _)): state.watched = progress.fraction ?? 0
/// case .film(.finished(_, received: _, of: let film)): state.films.remove(film)
/// case .film(.failed(_, of: let film)): state.films.remove(film)
/// ```
public enum HTTPDownloadEvent: Hashable, Sendable {
  /// So much has come. Told at most ``HTTPProgress/mostReports`` times of one download.
  case progressed(HTTPProgress, of: HTTPDownloadRequest)
  /// The file is whole. The response has no body; `received` counts the bytes of the file, of which some may have come
  /// before. With the status 304 the file is what it was.
  case finished(HTTPResponse, received: Int, of: HTTPDownloadRequest)
  /// There is no new file.
  case failed(HTTPDownloadFailure, of: HTTPDownloadRequest)

  /// The download that this is about.
  public var download: HTTPDownloadRequest {
    switch self {
    case .progressed(_, let download), .finished(_, _, let download), .failed(_, let download): download
    }
  }
}
