import Foundation
import MillraceSockets
import MillraceTrace

/// Serves the page of a growing recording, and its lines as they are written.
///
/// Listens only on the loopback address. The URL contains a token, so that other users of the machine and other pages
/// of the browser have no access: requests without the token are answered with 404.
struct FollowServer: Sendable {
  let file: FollowedFile
  private let token: String
  private let listener: LoopbackSocket
  private let port: UInt16

  init(file: FollowedFile) throws {
    do throws(SocketError) {
      listener = try LoopbackSocket.listening(onLoopbackPort: 0)
      port = try listener.port()
    } catch {
      throw CommandFailure(message: "there is no free port on the loopback address (\(error))")
    }
    self.file = file
    token = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
  }

  var address: String { "http://127.0.0.1:\(port)/\(token)/" }

  /// Accepts connections for ever. Each connection has a thread and serves one request. At most 64 are open; further
  /// ones wait until one closes. A silent connection is closed after ten seconds.
  func serve() -> Never {
    let free = DispatchSemaphore(value: 64)
    while true {
      free.wait()
      guard let connection = listener.accept(patience: 10) else {
        free.signal()
        continue
      }
      Thread.detachNewThread {
        if let head = connection.readHead(within: .seconds(10)) { connection.write(answer(to: head)) }
        connection.close()
        free.signal()
      }
    }
  }

  /// Answers a request. A request for lines waits for them, ten seconds at most.
  func answer(to head: String) -> [UInt8] {
    let words = head.prefix { $0 != "\r\n" }.split(separator: " ")
    guard words.count == 3, words[0] == "GET" else { return Self.answer("405 Method Not Allowed") }
    let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    switch target[0] {
    case "/\(token)/":
      guard let beginning = file.beginning else {
        return Self.answer("503 Service Unavailable", Array("The recording has not begun.\n".utf8))
      }
      let text = TraceText(header: beginning.header)
      let page = Page(TraceHistory(text), following: (beginning.offset, beginning.number))
      return Self.answer("200 OK", page.bytes, type: "text/html; charset=utf-8")
    case "/\(token)/lines":
      let query = (target.count > 1 ? target[1] : "").split(separator: "&")
      guard query.count == 2, query[0].hasPrefix("of="), let number = Int(query[0].dropFirst(3)),
        query[1].hasPrefix("from="), let offset = Int(query[1].dropFirst(5)), offset >= 0
      else { return Self.answer("400 Bad Request") }
      let lines = file.lines(of: number, from: offset, until: Date(timeIntervalSinceNow: 10))
      return Self.answer(
        "200 OK", lines.bytes,
        more: "X-Millrace-Offset: \(lines.end)\r\nX-Millrace-Recording: \(lines.number)\r\n")
    default: return Self.answer("404 Not Found")
    }
  }

  private static func answer(
    _ status: String, _ body: [UInt8] = [], type: String = "text/plain; charset=utf-8", more: String = ""
  ) -> [UInt8] {
    let head = """
      HTTP/1.1 \(status)\r
      Content-Type: \(type)\r
      Content-Length: \(body.count)\r
      Cache-Control: no-store\r
      X-Content-Type-Options: nosniff\r
      Referrer-Policy: no-referrer\r
      Cross-Origin-Resource-Policy: same-origin\r
      X-Frame-Options: DENY\r
      Connection: close\r
      \(more)\r

      """
    return Array(head.utf8) + body
  }
}
