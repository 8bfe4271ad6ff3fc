import Foundation
import Millrace
import MillraceHTTP

/// A child process that the tests of uploads kill: `httpprobe ADDRESS FILE WAY` uploads a file, and tells how that ended.
@main struct Probe {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let way = HTTPUploadResumption(rawValue: arguments[3]) else { return }
    let upload = HTTPUploadRequest(
      HTTPRequest(arguments[1], method: way == .contentRanges ? "PUT" : "POST", timeout: nil),
      from: arguments[2],
      resumes: way)
    let store = Store(initialState: [upload] as Set) {
      (uploads: inout Set<HTTPUploadRequest>, event: HTTPUploadEvent) in
      switch event {
      case .progressed: break
      case .response(let response, to: let upload):
        say("response \(response.status)")
        uploads.remove(upload)
      case .failed(let failure, of: let upload):
        say("failed \(failure)")
        uploads.remove(upload)
      }
    }
    store.connect(HTTPUploadEffect(), to: \.self)
    _ = await store.first { $0.isEmpty }
    await store.shutdown()
  }

  private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
