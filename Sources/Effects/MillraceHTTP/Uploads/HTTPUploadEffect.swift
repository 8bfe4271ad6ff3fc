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
/// With ``HTTPUploadRequest/resumes`` an attempt goes on where the server is, after one that has failed, was stopped or was
/// killed. Nothing is tried again by itself: a policy such as `retried` makes the attempts, or a request with another
/// `attempt`. What an attempt must know is in a note beside the file, of mode 0600. It is removed when the server has the
/// whole file or refuses it; an upload that is given up leaves it behind. Notes are not flushed to the disk.
///
/// - If the file is another one than was noted, by its size, the time of its last change, its number, and its digest if
///   that is sent, the upload begins anew, or fails with ``HTTPUploadFailure/changed(path:)`` where it cannot.
/// - If the server has lost the upload (404, 410), the attempt begins anew, once. By ranges it fails.
/// - A server that claims more than the file has, takes back what it had, or takes nothing more ends the attempt with
///   ``HTTPFailure/notHTTP(_:)``, and the next one begins anew. So an attempt ends, whatever is answered.
/// - Exchanges after the first have the request's headers without those of its body and its conditions. Credentials go
///   to the request's own server alone, wherever the upload leads.
/// - If the last answer was lost, the response is the one that says that the upload is complete.
/// - With ``HTTPUploadRequest/sendsDigest``, a `Repr-Digest` of the complete upload must be that of the file.
public struct HTTPUploadEffect: EffectComponent {
  private let client: HTTPClient

  /// Makes an effect that uses `client`, which effects may share.
  public init(client: HTTPClient = HTTPClient()) { self.client = client }

  /// Returns the upload; for one that goes on, a stand-in that is equal for all that have the same note, so that they run
  /// one after the other.
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
