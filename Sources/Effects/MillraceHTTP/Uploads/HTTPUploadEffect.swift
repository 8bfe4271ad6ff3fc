import Millrace

/// Uploads the files that the state asks for.
///
/// ```swift
/// store.connect(HTTPUploadEffect().limited(to: 2), to: \.photos, action: AppAction.photo)
/// ```
///
/// A file is read while it is sent, so an upload takes little memory however large it is. It is read again if a
/// redirect requires that. When an upload leaves the state, its exchange is cancelled on the wire.
///
/// With ``HTTPUploadRequest/resumes``, an attempt continues at the server's position after an earlier attempt that
/// failed, was stopped or was killed. The effect makes no further attempt itself: a policy such as `retried` does, or a
/// request with another `attempt`. A note beside the file, of mode 0600, contains what an attempt must know. It is
/// removed when the server has the whole file or refuses it; an upload that is given up leaves it behind. Notes are not
/// flushed to the disk.
///
/// - If the file is not the noted one, by its size, the time of its last change, its number, and its digest if that is
///   sent, the upload begins anew. If it cannot, it fails with ``HTTPUploadFailure/changed(path:)``.
/// - If the server has lost the upload (404, 410), the attempt begins anew, once. With ranges it fails.
/// - If a server claims more than the file has, takes back what it had, or takes nothing more, the attempt ends with
///   ``HTTPFailure/notHTTP(_:)``, and the next one begins anew. So every attempt ends, whatever the server answers.
/// - Exchanges after the first have the request's headers without those of its body and its conditions. Credentials are
///   sent only to the request's own server, wherever the upload leads.
/// - If the last answer was lost, the response is the one that reports the upload as complete.
/// - With ``HTTPUploadRequest/sendsDigest``, a `Repr-Digest` that comes with `Upload-Complete: ?1` must be
///   that of the file.
public struct HTTPUploadEffect: EffectComponent {
  private let client: HTTPClient

  /// Makes an effect that uses `client`, which effects may share.
  public init(client: HTTPClient = HTTPClient()) { self.client = client }

  /// Returns the upload itself, or a stand-in if it resumes. Uploads with the same note have equal stand-ins, so that
  /// they run one after another.
  public func id(of upload: HTTPUploadRequest) -> HTTPUploadRequest {
    upload.resumes == nil ? upload : HTTPUploadRequest(HTTPRequest(""), from: upload.note)
  }

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
      let attempt = UploadAttempt(upload: upload, file: file, client: client) { place in
        if let report = meter.withLock({ $0.reached(place) }) { reported.yield(report) }
      }
      do throws(HTTPUploadFailure) {
        return Result<_, HTTPUploadFailure>.success(try await attempt.response())
      } catch {
        return .failure(error)
      }
    }
    await send(.response(try outcome.get(), to: upload))
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
