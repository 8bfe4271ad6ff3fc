import Millrace

/// Sends the files that the state asks for.
///
/// ```swift
/// store.connect(HTTPUploadEffect().limited(to: 2), to: \.photos, action: AppAction.photo)
/// ```
///
/// A file is read as it is sent, so that an upload takes little memory however large it is, and read again where a
/// redirect asks for it again. An upload that leaves the state is cancelled on the wire.
public struct HTTPUploadEffect: EffectComponent {
  private let client: HTTPClient

  /// Loads through `client`; effects may share one.
  public init(client: HTTPClient = HTTPClient()) { self.client = client }

  /// Every upload in the state.
  public func requests(in uploads: Set<HTTPUploadRequest>) -> Set<HTTPUploadRequest> { uploads }

  /// Sends one file.
  public func run(_ upload: HTTPUploadRequest, send: Send<HTTPUploadEvent>) async throws(HTTPUploadFailure) {
    guard !["GET", "HEAD"].contains(upload.request.method) else {
      throw .loading(.badField(upload.request.method))
    }
    let file = try UploadFile(at: upload.file)
    let meter = Lock(ProgressMeter(total: file.size))
    let (reports, told) = AsyncStream.makeStream(of: HTTPProgress.self)  // a hundred at most
    let outcome = await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await report in reports { await send(.progressed(report, of: upload)) }
      }
      defer { told.finish() }
      return await result(of: upload, file) { count in
        if let report = meter.withLock({ $0.transferred(count) }) { told.yield(report) }
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

  /// `.failed`
  public func action(for failure: HTTPUploadFailure, of upload: HTTPUploadRequest) -> HTTPUploadEvent {
    .failed(failure, of: upload)
  }
}

/// What an ``HTTPUploadEffect`` sends.
public enum HTTPUploadEvent: Hashable, Sendable {
  /// So much was sent. Told at most ``HTTPProgress/mostReports`` times of one upload.
  case progressed(HTTPProgress, of: HTTPUploadRequest)
  /// A response whose status the request accepts.
  case response(HTTPResponse, to: HTTPUploadRequest)
  /// There is no such response.
  case failed(HTTPUploadFailure, of: HTTPUploadRequest)

  /// The upload that this is about.
  public var upload: HTTPUploadRequest {
    switch self {
    case .progressed(_, let upload), .response(_, let upload), .failed(_, let upload): upload
    }
  }
}
