import HostileServer
import MillraceTesting

/// An answer with a body of this text.
func page(_ text: String = "hi", status: String = "200 OK", _ fields: String = "") -> String {
  "HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
}

extension LoopbackServer {
  /// A server that notes the head of each request and answers it, over connections that stay open.
  convenience init(
    noting heads: Recorder<String>, answer: @escaping @Sendable (String) -> String = { _ in page() }
  ) throws {
    try self.init { connection in
      while let head = connection.readHead() {
        heads.append(head)
        connection.write(answer(head))
      }
    }
  }

  /// A server that notes the first request of each connection, answers it with this, and waits for its client to go.
  convenience init(noting heads: Recorder<String> = Recorder(), pausingAfter answer: String) throws {
    try self.init { connection in
      guard let head = connection.readHead() else { return }
      heads.append(head)
      connection.write(answer)
      connection.waitForClose()
    }
  }

  /// A server that announces a body and sends it.
  convenience init(body: [UInt8], isAnnounced: Bool = true) throws {
    try self.init { connection in
      guard connection.readHead() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\n\(isAnnounced ? "Content-Length: \(body.count)\r\n" : "")\r\n")
      connection.write(body)
    }
  }
}
