#if !canImport(Darwin)
import CMillraceCurl
import Foundation

/// The transfer of one message by libcurl. Used only by the transport's thread.
final class CurlTransfer {
  /// The step after the end of a transfer.
  enum Next {
    /// None: the sink has got its end.
    case over
    /// Send the message over a new connection. Nothing of it was sent, or it may be repeated.
    case sendOverFreshConnection
    /// Send the message when another look-up is possible.
    case waitForLookup
  }

  let number: Int
  let message: HTTPMessage
  let easy: CurlEasy
  let sink: HTTPTransfer
  private let network: CurlNetwork
  private let isFresh: Bool
  private(set) var isLookingUp = false
  /// Whether no task waits for the answer. A look-up continues nevertheless, and nothing follows it.
  private(set) var isAbandoned = false
  private var isWaitingForLookup = false
  private var decision = SendDecision.send
  private var connection: CurlConnection?
  /// The number of arrivals over the connection before the request was sent.
  private var arrivalsBefore = 0
  private var reader = HTTPHeadReader()
  private var offset = 0
  private var failure: HTTPFailure?
  private var isWhole = false
  /// The number of body bytes that are missing, if libcurl would wait for the end of the connection, as it does with a
  /// `transfer-encoding` of `identity`.
  private var rest: Int?
  /// Whether the request was sent by HTTP/2, whose answers identify their requests.
  private var isMultiplexed = false
  /// Whether a part of the request was sent, over this connection or another one.
  private var wasSent = false

  /// - Throws: the part of the library that does not work.
  init(
    _ number: Int, _ message: HTTPMessage, to sink: HTTPTransfer, isFresh: Bool, library: CurlLibrary,
    setup: CurlSetup, network: CurlNetwork
  ) throws(HTTPFailure) {
    easy = try CurlEasy()
    (self.number, self.message, self.sink) = (number, message, sink)
    (self.network, self.isFresh) = (network, isFresh)
    // The transport keeps the transfer until libcurl has released it.
    let me = Unmanaged.passUnretained(self).toOpaque()
    let callbacks = millrace_curl_callbacks(
      context: me,
      header: { CurlTransfer.of($0).headerArrived($1, $2) },
      body: { CurlTransfer.of($0).bodyArrived($1, $2) },
      read: { CurlTransfer.of($0).bodyWanted($1, $2) },
      seek: { CurlTransfer.of($0).bodySought($1) },
      lookup: { CurlTransfer.of($0).lookupWanted() ? 1 : 0 },
      opened: { CurlTransfer.of($0).opened($1, $2) ? 1 : 0 },
      connected: { CurlTransfer.of($0).connected($1, $2, $3, $4) ? 1 : 0 },
      asked: { CurlTransfer.of($0).asked(byHTTP2: $1 != 0) })
    try easy.set(callbacks, network.sockets)
    try setup.apply(to: easy, message, isFresh: isFresh, library)
  }

  /// The transfer has ended with a code of libcurl. Returns the next step.
  func ended(_ code: Int32) -> Next {
    guard !isAbandoned else { return .over }
    if isWaitingForLookup { return .waitForLookup }
    switch decision {
    case .send: break
    case .needsFreshConnection: return .sendOverFreshConnection
    case .mustNotBeRepeated: failure = .cutOff(received: 0, expected: nil)
    }
    sink.ended(failure ?? failure(code))
    return .over
  }

  private func failure(_ code: Int32) -> HTTPFailure? {
    if isWhole { return nil }
    // libcurl reports no error for a head that ends before its empty line.
    guard code != 0 else { return reader.isWhole ? nil : .cutOff(received: 0, expected: nil) }
    let failure = easy.failure(
      code, host: message.address.host, hasHead: reader.isWhole, isMultiplexed: isMultiplexed)
    // A server has got a part of the request. The reason why there is no second connection does not concern that
    // server.
    return wasSent && !failure.mayHaveBeenServed ? .cutOff(received: 0, expected: nil) : failure
  }

  /// Records that no task waits for the answer.
  func abandon() { isAbandoned = true }

  /// libcurl has released the transfer. `hasTimedOut` if the reason is that no answer came in time.
  func removed(hasTimedOut: Bool) {
    lookupEnded()
    guard let connection = connection.take() else { return }
    if hasTimedOut, connection.arrivals == arrivalsBefore { connection.isOver = true }
    network.ended(on: connection)
  }

  private static func of(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
    // The pointer that this transfer gave to libcurl. libcurl has it only while the transport keeps the transfer.
    Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  }

  // MARK: The connection

  private func lookupWanted() -> Bool {
    if isLookingUp { return true }
    isLookingUp = network.lookups.wanted()
    isWaitingForLookup = !isLookingUp
    return isLookingUp
  }

  private func lookupEnded() {
    if isLookingUp { network.lookups.ended() }
    isLookingUp = false
  }

  private func opened(_ descriptor: Int32, _ errorNumber: Int32) -> Bool {
    lookupEnded()
    guard descriptor >= 0, !isAbandoned else { return false }
    network.opened(descriptor)
    return true
  }

  /// The request is about to be sent, for the first time or again.
  private func connected(
    _ local: UnsafePointer<CChar>, _ localPort: Int32, _ remote: UnsafePointer<CChar>, _ remotePort: Int32
  ) -> Bool {
    lookupEnded()
    guard !isAbandoned else { return false }
    if let connection = connection.take() { network.ended(on: connection) }
    let found = network.connection(local, localPort, remote, remotePort)
    let condition = found?.condition ?? .unusable
    decision = SendDecision(
      over: condition, wasSent: wasSent, mayBeRepeated: SendDecision.mayRepeat(message.method),
      isAskedFresh: isFresh)
    guard decision == .send else {
      if let found, condition == .unusable { network.end(found) }
      return false
    }
    found?.localPort = localPort
    if let found { network.began(on: found) }
    connection = found
    arrivalsBefore = found?.arrivals ?? 0
    return true
  }

  private func asked(byHTTP2: Bool) {
    wasSent = true
    isMultiplexed = byHTTP2
    connection?.isMultiplexed = byHTTP2
  }

  // MARK: The messages

  private func headerArrived(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    connection?.arrivals += 1
    switch reader.lineArrived(UnsafeBufferPointer(start: bytes, count: count)) {
    case .goOn: break
    case .interim(let head): message.interim?(head, message.address)
    case .head(let head):
      sink.headArrived(head)
      // Bytes that a server may send after such a head are not the answer to the next request. So the transfer is
      // stopped, and its connection is closed.
      let framing = try? BodyFraming(head, method: message.method)
      rest = head.headers["transfer-encoding"] == nil ? nil : framing?.length
      isWhole = !isMultiplexed && (rest == 0 || head.mayBeFollowedByBytes(method: message.method))
      if isWhole { return 0 }
    case .fail(let reason):
      failure = reason
      return 0
    }
    return 1
  }

  private func bodyArrived(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    connection?.arrivals += 1
    let count = min(count, rest ?? count)
    let verdict = sink.bodyArrived(UnsafeRawBufferPointer(start: bytes, count: count))
    if verdict == .taken, let rest {
      self.rest = rest - count
      isWhole = rest == count
    }
    return switch verdict {
    case .taken: isWhole ? 0 : 1
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
    case .file(let file, let start, let sent):
      guard let read = file.read(at: start + offset, into: room) else {
        failure = .other("the file cannot be read")
        return -1
      }
      offset += read
      if read > 0 { sent(offset) }
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
