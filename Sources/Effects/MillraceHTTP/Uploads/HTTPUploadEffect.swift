import Millrace

/// Uploads the files that the state asks for.
///
/// ```swift
/// store.connect(HTTPUploadEffect().limited(to: 2), to: \.photos, action: AppAction.photo)
/// ```
///
/// A file is read while it is sent, so an upload takes little memory however large it is; it is read again if a
/// redirect demands it. When an upload leaves the state, its exchange is cancelled on the wire.
public struct HTTPUploadEffect: EffectComponent {
  private let client: HTTPClient

  /// Makes an effect that uses `client`, which effects may share.
  public init(client: HTTPClient = HTTPClient()) { self.client = client }

  /// Returns every upload in the state.
  public func requests(in uploads: Set<HTTPUploadRequest>) -> Set<HTTPUploadRequest> { uploads }

  /// Uploads one file.
  public func run(_ upload: HTTPUploadRequest, send: Send<HTTPUploadEvent>) async throws(HTTPUploadFailure) {
    guard !["GET", "HEAD"].contains(upload.request.method) else {
      throw .loading(.badField(upload.request.method))
    }
    let file = try UploadFile(at: upload.file)
    let meter = Lock(ProgressMeter(total: file.size))
    let (reports, reported) = AsyncStream.makeStream(of: HTTPProgress.self)  // a hundred at most
    let outcome = await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await report in reports { await send(.progressed(report, of: upload)) }
      }
      defer { reported.finish() }
      return await result(of: upload, file) { count in
        if let report = meter.withLock({ $0.transferred(count) }) { reported.yield(report) }
      }
    }
    await send(.response(try outcome.get(), to: upload))
  }

  private func result(
    of upload: HTTPUploadRequest, _ file: UploadFile, sent: @escaping @Sendable (Int) -> Void
  ) async -> Result<HTTPResponse, HTTPUploadFailure> {
    do throws(HTTPFailure) {
      return .success(try await client.load(upload.request, body: .file(file, sent: sent)))
    } catch {
      if let number = file.failure { return .failure(.reading(path: upload.file, errorNumber: number)) }
      return .failure(.loading(error))
    }
  }

  /// Returns ``HTTPUploadEvent/failed(_:of:)``.
  public func action(for failure: HTTPUploadFailure, of upload: HTTPUploadRequest) -> HTTPUploadEvent {
    .failed(failure, of: upload)
  }
}

/// An event of an ``HTTPUploadEffect``.
public enum HTTPUploadEvent: Hashable, Sendable {
  /// Reports the number of bytes sent. Sent at most ``HTTPProgress/mostReports`` times per upload.
  case progressed(HTTPProgress, of: HTTPUploadRequest)
  /// A response whose status the request accepts.
  case response(HTTPResponse, to: HTTPUploadRequest)
  /// There is no response that the request accepts.
  case failed(HTTPUploadFailure, of: HTTPUploadRequest)

  /// The upload of this event.
  public var upload: HTTPUploadRequest {
    switch self {
    case .progressed(_, let upload), .response(_, let upload), .failed(_, let upload): upload
    }
  }
}
