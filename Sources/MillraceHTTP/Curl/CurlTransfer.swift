#if !canImport(Darwin)
import CMillraceCurl
import Foundation

/// One message in libcurl's hands. Used by the loop's thread alone.
final class CurlTransfer {
  let number: Int
  let message: HTTPMessage
  let easy: OpaquePointer
  private let sink: HTTPTransfer
  // Where libcurl finds them for as long as it has the transfer.
  private let callbacks: UnsafeMutablePointer<millrace_curl_callbacks>
  private let problem: UnsafeMutablePointer<CChar>
  private var fields: OpaquePointer?
  private var reader = HTTPHeadReader()
  private var offset = 0
  private var failure: HTTPFailure?

  /// - Throws: what of the library does not work.
  init(
    _ number: Int, _ message: HTTPMessage, to sink: HTTPTransfer, library: CurlLibrary, setup: CurlSetup
  ) throws(HTTPFailure) {
    guard let easy = millrace_curl_easy_new() else { throw .other("libcurl has no memory") }
    (self.number, self.message, self.easy, self.sink) = (number, message, easy, sink)
    callbacks = .allocate(capacity: 1)
    problem = .allocate(capacity: Int(MILLRACE_CURL_PROBLEM_SIZE))
    // The transport keeps the transfer until libcurl has let go of it.
    let me = Unmanaged.passUnretained(self).toOpaque()
    callbacks.initialize(
      to: millrace_curl_callbacks(
        context: me,
        header: { CurlTransfer.of($0).headerArrived($1, $2) },
        body: { CurlTransfer.of($0).bodyArrived($1, $2) },
        read: { CurlTransfer.of($0).bodyWanted($1, $2) },
        seek: { CurlTransfer.of($0).bodySought($1) }))
    millrace_curl_set_callbacks(easy, callbacks, problem)
    for line in CurlFields(message).lines { fields = millrace_curl_list_append(fields, line) }
    if let refused = setup.apply(to: easy, message, fields, library) {
      throw .unsupported("libcurl refuses the option \(refused.name)")
    }
  }

  deinit {
    millrace_curl_easy_free(easy)
    millrace_curl_list_free(fields)
    callbacks.deallocate()
    problem.deallocate()
  }

  /// The transfer is over, with libcurl's code.
  func ended(_ code: Int32) {
    guard failure == nil, code != 0 || !reader.isWhole else { return sink.ended(failure) }
    // A head that is cut before its empty line is no error to libcurl.
    guard code != 0 else { return sink.ended(.cutOff(received: 0, expected: nil)) }
    let words = String(cString: problem)
    sink.ended(
      HTTPFailure(
        curlCode: code, words: words.isEmpty ? String(cString: millrace_curl_easy_problem(code)) : words,
        host: message.address.host, hasHead: reader.isWhole,
        connectStatus: millrace_curl_info_long(easy, CurlNumber.httpConnectCode)))
  }

  private static func of(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
    // The pointer that this transfer gave to curl, which has it only while the transport keeps the transfer.
    Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  }

  private func headerArrived(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    switch reader.lineArrived(UnsafeBufferPointer(start: bytes, count: count)) {
    case .goOn: break
    case .head(let head): sink.headArrived(head)
    case .fail(let reason):
      failure = reason
      return 0
    }
    return 1
  }

  private func bodyArrived(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    switch sink.bodyArrived(UnsafeRawBufferPointer(start: bytes, count: count)) {
    case .taken: 1
    case .later: 2
    case .never: 0
    }
  }

  private func bodyWanted(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int64 {
    let room = UnsafeMutableRawBufferPointer(start: bytes, count: count)
    switch message.body {
    case .none: return 0
    case .data(let data):
      let part = data.dropFirst(offset).prefix(count)
      room.copyBytes(from: part)
      offset += part.count
      return Int64(part.count)
    case .file(let file, let sent):
      guard let read = file.read(at: offset, into: room) else {
        failure = .other("the file cannot be read")
        return -1
      }
      offset += read
      if read > 0 { sent(read) }
      return Int64(read)
    }
  }

  private func bodySought(_ place: Int64) -> Int32 {
    guard let size = message.body.size, (0...Int64(size)).contains(place) else { return 0 }
    offset = Int(place)
    return 1
  }
}
#endif
