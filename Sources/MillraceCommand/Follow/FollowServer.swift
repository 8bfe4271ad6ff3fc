import Foundation
import MillraceSockets
import MillraceTrace

/// Serves the page of a file that grows, and its lines as they are written.
///
/// It listens on the loopback address alone. The token in the address keeps other users of the machine and other pages of
/// the browser out: without it, every request is answered with 404.
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

  /// Answers for ever: each connection has a thread and serves one request.
  func serve() -> Never {
    while true {
      guard let connection = listener.accept() else { continue }
      Thread.detachNewThread {
        if let head = connection.readHead() { connection.write(answer(to: head)) }
        connection.close()
      }
    }
  }

  func answer(to head: String) -> [UInt8] {
    let words = head.prefix { $0 != "\r\n" }.split(separator: " ")
    guard words.count == 3, words[0] == "GET" else { return Self.answer("405 Method Not Allowed") }
    let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    switch target[0] {
    case "/\(token)/":
      guard let beginning = file.beginning else {
        return Self.answer("503 Service Unavailable", Array("The recording has not begun.\n".utf8))
      }
      let following = Page.Following(path: "lines", offset: beginning.offset)
      guard let page = Page(header: beginning.header, following: following) else {
        return Self.answer("500 Internal Server Error")
      }
      return Self.answer("200 OK", page.bytes, type: "text/html; charset=utf-8")
    case "/\(token)/lines":
      let query = target.count > 1 ? target[1] : ""
      guard query.hasPrefix("from="), let offset = Int(query.dropFirst(5)), offset >= 0 else {
        return Self.answer("400 Bad Request")
      }
      return lines(from: offset)
    default: return Self.answer("404 Not Found")
    }
  }

  /// Waits for lines, ten seconds at most.
  private func lines(from offset: Int) -> [UInt8] {
    let lines = file.lines(from: offset, until: Date(timeIntervalSinceNow: 10))
    return Self.answer("200 OK", lines.bytes, more: "X-Millrace-Offset: \(lines.end)\r\n")
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
