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
/// A file is the identity of its download: two downloads to one file follow each other.
public struct HTTPDownloadEffect: EffectComponent {
  private let client: HTTPClient

  /// Loads through `client`; effects may share one.
  public init(client: HTTPClient = HTTPClient()) { self.client = client }

  /// The path of the file.
  public func id(of download: HTTPDownload) -> String { download.file }

  /// Every download in the state. If two have one file, the store reports it.
  public func requests(in downloads: Set<HTTPDownload>) -> Set<HTTPDownload> { downloads }

  /// Loads one file.
  public func run(
    _ download: HTTPDownload, send: Send<HTTPDownloadEvent>
  ) async throws(HTTPDownloadFailure) {
    let file = try DownloadFile(for: download.file)
    defer { file.discard() }
    var meter = ProgressMeter()
    var received = 0
    var broken: HTTPDownloadFailure?
    let response: HTTPResponse
    do throws(HTTPFailure) {
      response = try await client.stream(download.request) { part in
        switch part {
        case .head(_, let length):
          meter = ProgressMeter(total: length)
        case .body(let bytes):
          do throws(HTTPDownloadFailure) { try file.write(bytes) } catch {
            broken = error
            return .stop
          }
          received += bytes.count
          if let progress = meter.transferred(bytes.count) { await send(.progressed(progress, of: download)) }
        }
        return .goOn
      }
    } catch {
      throw .loading(error)
    }
    if let broken { throw broken }
    if Task.isCancelled { return }
    try file.keep()
    await send(.finished(response, received: received, of: download))
  }

  /// `.failed`
  public func action(for failure: HTTPDownloadFailure, of download: HTTPDownload) -> HTTPDownloadEvent {
    .failed(failure, of: download)
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
  case progressed(HTTPProgress, of: HTTPDownload)
  /// The file is whole. The response has no body; `received` counts the bytes of the file.
  case finished(HTTPResponse, received: Int, of: HTTPDownload)
  /// There is no new file.
  case failed(HTTPDownloadFailure, of: HTTPDownload)

  /// The download that this is about.
  public var download: HTTPDownload {
    switch self {
    case .progressed(_, let download), .finished(_, _, let download), .failed(_, let download): download
    }
  }
}
