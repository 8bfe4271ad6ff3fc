import Foundation
import HostileServer
import Millrace

/// A server that takes uploads that go on, at any address but those beginning with `/upload/`, and notes what it has
/// accepted of each: by upload resources, or by ranges if a request has some.
final class UploadServer: Sendable {
  /// One request as it has come.
  struct Request: Sendable {
    var method: String
    var path: String
    var fields: [String: String]
  }

  struct Upload: Sendable {
    var bytes: [UInt8] = []
    var isComplete = false
    /// The parts in the order in which they were accepted.
    var accepted: [Range<Int>] = []
  }

  /// How it misbehaves at a request; each is used once, in this order, for requests that it fits.
  enum Fault: Sendable {
    /// Closes after so many bytes of the body.
    case cut(after: Int)
    /// Closes after the whole body, and after so many bytes of the answer.
    case cutAnswer(after: Int)
    /// Takes so many bytes of the body, and answers with a status.
    case status(Int, after: Int = 0)
    /// Answers with this instead, and does nothing.
    case answer(String)
    /// Does nothing wrong.
    case none
  }

  private struct State {
    var uploads: [Upload] = []
    var faults: [Fault]
    var requests: [Request] = []
    /// After how many accepted bytes nothing more is accepted or answered.
    var holdCount: Int?
    /// How many connections are being served.
    var connections = 0

    var acceptedCount: Int { uploads.reduce(0) { $0 + $1.bytes.count } }
  }

  private let state: Lock<State>
  private let interim: String
  private let digest: String
  private let server: Lock<LoopbackServer?>

  /// - Parameters:
  ///   - interim: an interim answer in place of the right one, in which `LINK` stands for the address.
  ///   - digest: a field of answers about complete uploads.
  init(
    _ faults: [Fault] = [],
    interim: String =
      "HTTP/1.1 104 Upload Resumption Supported\r\nUpload-Draft-Interop-Version: 8\r\nLocation: LINK\r\n\r\n",
    digest: String = ""
  ) throws {
    state = Lock(State(faults: faults))
    (self.interim, self.digest, server) = (interim, digest, Lock(nil))
    let server = try LoopbackServer { [weak self] connection in
      self?.state.withLock { $0.connections += 1 }
      while let head = connection.readHead(), let self, serve(Self.request(head), over: connection) {}
      self?.state.withLock { $0.connections -= 1 }
    }
    self.server.withLock { $0 = server }
  }

  func url(_ path: String = "/in") -> String { server.withLock { $0?.url(path) } ?? "" }

  var requests: [Request] { state.withLock { $0.requests } }
  var uploads: [Upload] { state.withLock { $0.uploads } }
  var methods: [String] { requests.map(\.method) }

  var acceptedCount: Int { state.withLock { $0.acceptedCount } }

  /// Accepts no more once so many bytes were accepted, of all uploads, and is silent then.
  func hold(atCount count: Int?) { state.withLock { $0.holdCount = count } }

  /// Returns when nothing of the connections so far is served any more. Blocks the thread.
  func forgetConnections() {
    while state.withLock({ $0.connections }) > 0 { sched_yield() }
  }

  func add(_ faults: Fault...) { state.withLock { $0.faults += faults } }

  /// The file of the one upload that was completed, if each byte of it was accepted once.
  var file: [UInt8]? {
    let complete = uploads.filter(\.isComplete)
    guard complete.count == 1, let upload = complete.first else { return nil }
    return upload.isContiguous ? upload.bytes : nil
  }

  private static func request(_ head: String) -> Request {
    let lines = head.split(separator: "\r\n")
    let words = lines[0].split(separator: " ")
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
        in: .whitespaces)
    }
    return Request(method: String(words[0]), path: String(words[1]), fields: fields)
  }

  /// Returns whether the connection goes on.
  private func serve(_ request: Request, over connection: LoopbackConnection) -> Bool {
    let fault = state.withLock { state -> Fault in
      state.requests.append(request)
      return state.faults.isEmpty ? .none : state.faults.removeFirst()
    }
    let length = Int(request.fields["content-length"] ?? "0") ?? 0
    if case .answer(let text) = fault { return Self.skip(length, from: connection) && connection.write(text) }
    var answer = self.answer(to: request, length, fault, over: connection)
    if case .cutAnswer(let count) = fault {
      answer = answer.map { String($0.prefix(count)) }
      if let answer { connection.write(answer) }
      return false
    }
    return answer.map { connection.write($0) } ?? false
  }

  private func answer(
    to request: Request, _ length: Int, _ fault: Fault, over connection: LoopbackConnection
  ) -> String? {
    if let range = request.fields["content-range"] { return ranged(range, length, fault, connection) }
    let number: Int
    if request.path.hasPrefix("/upload/") {
      number = Int(request.path.dropFirst(8)) ?? -1
      guard uploads.indices.contains(number) else {
        return Self.skip(length, from: connection) ? Self.status(404) : nil
      }
      let upload = uploads[number]
      if request.method == "HEAD" {
        if case .status(let status, after: _) = fault { return Self.status(status) }
        return Self.status(204, fields(of: upload))
      }
      guard request.method == "PATCH", request.fields["upload-offset"] == "\(upload.bytes.count)",
        request.fields["content-type"] == "application/partial-upload"
      else { return Self.skip(length, from: connection) ? Self.status(409, fields(of: upload)) : nil }
    } else {
      number = state.withLock { state in
        state.uploads.append(Upload())
        return state.uploads.count - 1
      }
      if request.fields["upload-draft-interop-version"] == "8" {
        connection.write(interim.replacing("LINK", with: "/upload/\(number)"))
        connection.isRead()
      }
    }
    guard take(length, of: number, fault, from: connection) else { return nil }
    if case .status(let status, after: _) = fault { return Self.status(status) }
    state.withLock { $0.uploads[number].isComplete = true }
    return Self.status(200, fields(of: uploads[number]))
  }

  private func ranged(
    _ range: String, _ length: Int, _ fault: Fault, _ connection: LoopbackConnection
  ) -> String? {
    if case .status(let status, after: 0) = fault { return Self.status(status) }
    state.withLock { if $0.uploads.isEmpty { $0.uploads.append(Upload()) } }
    let all = Int(range.split(separator: "/").last ?? "") ?? -1
    if length > 0 {
      let first = Int(range.split(separator: " ").last?.split(separator: "-").first ?? "") ?? -1
      // What is there already is skipped.
      let skipped = uploads[0].bytes.count - first
      guard skipped >= 0, connection.read(skipped).count == skipped,
        take(length - skipped, of: 0, fault, from: connection)
      else { return nil }
      if case .status(let status, after: _) = fault { return Self.status(status) }
    }
    let count = state.withLock { state in
      state.uploads[0].isComplete = state.uploads[0].bytes.count == all
      return state.uploads[0].bytes.count
    }
    if count == all { return Self.status(201) }
    return Self.status(308, count > 0 ? "Range: bytes=0-\(count - 1)\r\n" : "")
  }

  /// Reads a body that is not wanted. Returns whether it was whole.
  private static func skip(_ length: Int, from connection: LoopbackConnection) -> Bool {
    var rest = length
    while rest > 0, case let bytes = connection.readSome(), !bytes.isEmpty { rest -= bytes.count }
    return rest <= 0
  }

  /// Appends a body as it comes. Returns whether it was whole.
  private func take(_ length: Int, of number: Int, _ fault: Fault, from connection: LoopbackConnection)
    -> Bool
  {
    let limit: Int? =
      switch fault {
      case .cut(let count), .status(_, after: let count): count
      case .cutAnswer, .answer, .none: nil
      }
    var taken = 0
    var place = uploads[number].bytes.count
    while taken < length {
      if let limit, taken >= limit {
        if case .cut = fault { return false }
      }
      let bytes = connection.readSome()
      if bytes.isEmpty { return false }
      let isHeld = state.withLock { state in
        let rest = state.holdCount.map { max(0, $0 - state.acceptedCount) } ?? .max
        let count = max(0, min(bytes.count, (limit ?? .max) - taken, rest))
        // What a process that is gone has left in a socket must not come between.
        guard state.uploads[number].bytes.count == place else { return true }
        state.uploads[number].bytes += bytes[..<count]
        if count > 0 { state.uploads[number].accepted.append(place..<place + count) }
        place += count
        return rest == count
      }
      taken += bytes.count
      if isHeld {
        connection.waitForClose()
        return false
      }
    }
    if case .cut = fault { return false }
    return true
  }

  private func fields(of upload: Upload) -> String {
    "Upload-Offset: \(upload.bytes.count)\r\nUpload-Complete: ?\(upload.isComplete ? 1 : 0)\r\n"
      + (upload.isComplete ? digest : "")
  }

  static func status(_ status: Int, _ fields: String = "") -> String {
    "HTTP/1.1 \(status) Status\r\n\(fields)\(status == 204 ? "" : "Content-Length: 0\r\n")\r\n"
  }
}

extension UploadServer.Upload {
  /// Whether what was accepted is the whole from its beginning, each byte once.
  var isContiguous: Bool {
    accepted.reduce(0) { $1.lowerBound == $0 ? $1.upperBound : -1 } == bytes.count
  }
}
