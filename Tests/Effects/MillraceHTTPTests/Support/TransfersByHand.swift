import Foundation
import HostileServer
import Millrace
import MillraceHTTP
import MillraceTesting
import TestSupport

/// A suite that runs downloads and uploads by hand, and looks at what they send and leave in a folder.
protocol TransfersByHand {
  associatedtype Event: Sendable
  var folder: TemporaryFolder { get }
  var sent: Recorder<Event> { get }
}

extension TransfersByHand where Event == HTTPDownloadEvent {
  /// Runs one download by hand, and returns how it ended.
  func run(_ download: HTTPDownloadRequest) async -> HTTPDownloadFailure? {
    do throws(HTTPDownloadFailure) {
      try await HTTPDownloadEffect(client: .untimed()).run(download, send: .recording(into: sent))
      return nil
    } catch {
      return error
    }
  }

  func download(_ server: LoopbackServer, to name: String = "file", resumes: Bool = false)
    -> HTTPDownloadRequest
  {
    let request = HTTPRequest(server.url(), timeout: nil, largestBody: .max)
    return HTTPDownloadRequest(request, to: folder.file(name), resumes: resumes)
  }

  var progress: [HTTPProgress] {
    sent.values.compactMap { if case .progressed(let progress, of: _) = $0 { progress } else { nil } }
  }

  /// The response that finished the last download, and the number of bytes that it brought.
  var finish: (response: HTTPResponse, received: Int)? {
    if case .finished(let response, let received, of: _) = sent.values.last {
      (response, received)
    } else {
      nil
    }
  }
}

extension TransfersByHand where Event == HTTPUploadEvent {
  /// Runs one upload by hand, and returns how it ended.
  func run(_ upload: HTTPUploadRequest) async -> HTTPUploadFailure? {
    do throws(HTTPUploadFailure) {
      try await HTTPUploadEffect(client: .untimed()).run(upload, send: .recording(into: sent))
      return nil
    } catch {
      return error
    }
  }

  /// Runs an upload until it succeeds or fails for good, and returns how often it ran.
  func runs(_ upload: HTTPUploadRequest) async -> (count: Int, failure: HTTPUploadFailure?) {
    var (count, failure) = (1, await run(upload))
    while let now = failure, now.isTransient, count < 50 { (count, failure) = (count + 1, await run(upload)) }
    return (count, failure)
  }

  func upload(
    _ url: String, _ resumes: HTTPUploadResumption? = .uploadResource, headers: HTTPHeaders = [:]
  ) -> HTTPUploadRequest {
    HTTPUploadRequest(
      HTTPRequest(url, method: resumes == .contentRanges ? "PUT" : "POST", headers: headers, timeout: nil),
      from: folder.file("file"), resumes: resumes)
  }

  /// Writes the file that is sent, and returns its bytes.
  func write(_ count: Int) throws -> [UInt8] {
    let bytes = variedBytes(count)
    try folder.write(Data(bytes), to: "file")
    return bytes
  }

  var progress: [HTTPProgress] {
    sent.values.compactMap { if case .progressed(let progress, of: _) = $0 { progress } else { nil } }
  }

  /// The response to the last upload.
  var response: HTTPResponse? {
    if case .response(let response, to: _) = sent.values.last { response } else { nil }
  }
}
