import HostileServer
import Millrace
import MillraceHTTP
import MillraceTesting
import TestSupport

/// A suite that runs downloads by hand, and looks at what they send and leave in a folder.
protocol DownloadsByHand {
  var folder: TemporaryFolder { get }
  var sent: Recorder<HTTPDownloadEvent> { get }
}

extension DownloadsByHand {
  /// Runs one download by hand, and returns how it ended.
  func run(_ download: HTTPDownloadRequest) async -> HTTPDownloadFailure? {
    do throws(HTTPDownloadFailure) {
      try await HTTPDownloadEffect(client: .untimed()).run(download, send: .recording(into: sent))
      return nil
    } catch {
      return error
    }
  }

  func download(_ server: LoopbackServer, to name: String = "file") -> HTTPDownloadRequest {
    HTTPDownloadRequest(HTTPRequest(server.url(), timeout: nil, largestBody: .max), to: folder.file(name))
  }

  var progress: [HTTPProgress] {
    sent.values.compactMap { if case .progressed(let progress, of: _) = $0 { progress } else { nil } }
  }
}
