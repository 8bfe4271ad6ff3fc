#if !canImport(Darwin)
import CMillraceCurl
import Foundation

/// One connection for bytes, made by libcurl. Used only by the thread of its transport.
final class CurlSocket {
  /// The next step for a connection.
  enum Next {
    /// It is served when its descriptor is ready, or when its user asks for it.
    case waits
    /// It is served again at once, since not everything was read.
    case isBusy
    /// It is removed.
    case isOver
  }

  private enum Size {
    static let buffer = 64 << 10
    /// The number of buffers that are read before other connections are served.
    static let readsInTurn = 8
  }

  let number: Int
  let channel: WebSocketChannel
  let easy: CurlEasy
  /// The descriptor of the connection; -1 before there is one.
  private(set) var descriptor: Int32 = -1

  private let address: HTTPAddress
  private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: Size.buffer, alignment: 1)
  // A write over TLS that has failed for lack of room must be repeated with the same bytes at the same address.
  private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: Size.buffer, alignment: 1)
  private var outputSize = 0
  private var outputSent = 0

  /// - Throws: the part of the library that does not work.
  init(
    _ number: Int, _ address: HTTPAddress, for channel: WebSocketChannel, setup: CurlSetup,
    library: CurlLibrary, sockets: UnsafeMutablePointer<millrace_curl_sockets>
  ) throws(HTTPFailure) {
    easy = try CurlEasy()
    (self.number, self.address, self.channel) = (number, address, channel)
    // No requests are sent over these connections. libcurl itself reads only the answer of a proxy.
    let callbacks = millrace_curl_callbacks(
      context: sockets,
      header: { _, _, _ in 1 }, body: { _, _, _ in 1 }, read: { _, _, _ in 0 }, seek: { _, _ in 0 },
      lookup: { _ in 1 }, opened: { _, descriptor, _ in descriptor >= 0 ? 1 : 0 },
      connected: { _, _, _, _, _ in 1 }, asked: { _, _ in })
    try easy.set(callbacks, sockets)
    try setup.apply(to: easy, connectingTo: address, library)
  }

  deinit {
    input.deallocate()
    output.deallocate()
  }

  /// libcurl has connected, or has failed with a code. Returns whether there is a connection.
  func connected(_ code: Int32) -> Bool {
    guard code == 0 else {
      channel.ended(easy.failure(code, host: address.host, hasHead: false, isMultiplexed: false))
      return false
    }
    descriptor = millrace_curl_info_socket(easy.handle)
    guard descriptor >= 0 else {
      channel.ended(.other("libcurl has connected and has no socket"))
      return false
    }
    channel.tell(.connected)
    return true
  }

  /// The events of the descriptor for which it waits.
  var events: Int16 {
    guard descriptor >= 0 else { return 0 }
    let reads = channel.hasRoom ? Int16(MILLRACE_CURL_WAIT_INPUT) : 0
    return reads | (outputSent < outputSize ? Int16(MILLRACE_CURL_WAIT_OUTPUT) : 0)
  }

  /// Writes and reads as much as possible without waiting.
  func serve() -> Next {
    if channel.isAbandoned { return .isOver }
    guard descriptor >= 0 else { return .waits }
    // It reads even if it can write nothing more, since the server may have sent the reason.
    let writing = write()
    let reading = read()
    if reading == .isOver { return .isOver }
    if writing == .isOver {
      channel.ended(.cutOff(received: 0, expected: nil))
      return .isOver
    }
    return reading
  }

  private func write() -> Next {
    while true {
      if outputSent == outputSize {
        (outputSent, outputSize) = (0, channel.takeOutput(output))
        guard outputSize > 0 else { return .waits }
      }
      var count = 0
      let start = output.baseAddress! + outputSent  // not empty
      switch millrace_curl_easy_send(easy.handle, start, outputSize - outputSent, &count) {
      case CurlNumber.ok:
        outputSent += count
        channel.wrote(count)
      case CurlNumber.again: return .waits
      default: return .isOver
      }
    }
  }

  private func read() -> Next {
    for _ in 0..<Size.readsInTurn {
      guard channel.hasRoom else { return .waits }
      var count = 0
      switch millrace_curl_easy_recv(easy.handle, input.baseAddress!, input.count, &count) {  // not empty
      case CurlNumber.ok where count > 0:
        channel.arrived(UnsafeRawBufferPointer(start: input.baseAddress, count: count))
      case CurlNumber.ok:
        channel.ended(nil)
        return .isOver
      case CurlNumber.again: return .waits
      default:
        channel.ended(.cutOff(received: 0, expected: nil))
        return .isOver
      }
    }
    return .isBusy
  }
}
#endif
