import Foundation
import HostileServer
import Millrace
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

/// Requests of every method to a server that breaks each connection at a random byte.
@Suite(.serialized, .timeLimit(.minutes(30))) struct BrokenConnectionTests {
  private static let methods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]

  /// Serves until `budget` bytes were read and written in all.
  private static func serve(_ connection: LoopbackConnection, budget: Int, _ arrived: Lock<[String: Int]>) {
    var left = budget
    while left > 0 {
      var head: [UInt8] = []
      while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
        guard left > 0, let byte = connection.read(1).first else { return }
        head.append(byte)
        left -= 1
        // A request counts once its line is there, however little follows.
        if byte == 10, head.count(where: { $0 == 10 }) == 1 {
          let words = String(decoding: head, as: UTF8.self).split(separator: " ")
          arrived.withLock { $0["\(words[0]) \(words[1])", default: 0] += 1 }
        }
      }
      let text = String(decoding: head, as: UTF8.self)
      let words = text.split(separator: " ")
      let size = text.lowercased().firstMatch(of: /content-length: (\d+)/).flatMap { Int($0.1) } ?? 0
      let read = connection.read(min(size, left))
      left -= read.count
      guard read.count == size else { return }
      let body = "\(words[0]) \(words[1])"
      let answer = Array(
        ("HTTP/1.1 200 OK\r\nX-Of: \(body)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
          + (words[0] == "HEAD" ? "" : body)).utf8)
      connection.write(Array(answer.prefix(left)))
      left -= answer.count
    }
  }

  @Test(
    "no request that must not be repeated arrives twice, and none is answered by the answer to another",
    arguments: 1...3)
  func random(seed: UInt64) async throws {
    let count = TestSize.count(60, full: 3_400)
    let arrived = Lock<[String: Int]>([:])
    let connections = Lock(0)
    let random = Lock(SeededGenerator(seed: seed))
    let server = try LoopbackServer { connection in
      connections.withLock { $0 += 1 }
      let (budget, resets) = random.withLock {
        (Int.random(in: 0...2_500, using: &$0), Bool.random(using: &$0))
      }
      Self.serve(connection, budget: budget, arrived)
      if resets { connection.reset() }
    }
    let client = HTTPClient.untimed()
    var generator = SeededGenerator(seed: seed)
    let requests = (0..<count).map { number in
      let method = Self.methods.randomElement(using: &generator)!  // there are some
      let size = Int.random(in: 0...300, using: &generator)
      return HTTPRequest(
        server.url("/\(number)"), method: method,
        body: ["GET", "HEAD", "OPTIONS"].contains(method) ? nil : Data(count: size), timeout: nil)
    }
    let answered = Lock(0)
    await withTaskGroup(of: Void.self) { group in
      for (index, request) in requests.enumerated() {
        if index >= 8 { _ = await group.next() }
        group.addTask {
          let outcome = await Result.of(request, through: client)
          let own = "\(request.method) \(request.url.dropFirst(server.url("").count))"
          switch outcome {
          case .success(let response):
            answered.withLock { $0 += 1 }
            #expect(response.headers["x-of"] == own)
            if request.method != "HEAD" { #expect(response.body == Data(own.utf8)) }
          case .failure(let failure):
            switch failure {
            case .cutOff: break
            // The server has reset the connection before anything was sent over it.
            case .cannotConnect: #expect(!failure.mayHaveBeenServed)
            default: Issue.record("\(own): \(failure)")
            }
          }
        }
      }
    }
    await server.stop()
    let counts = arrived.withLock { $0 }
    let repeated = counts.values.count { $0 > 1 }
    print(
      "seed \(seed): of \(count) requests \(answered.withLock { $0 }) answered, \(repeated) repeated, none wrongly"
    )
    for (request, times) in counts where !["GET", "HEAD", "OPTIONS"].contains(request.prefix { $0 != " " }) {
      #expect(times == 1, "\(request) arrived \(times) times")
    }
    // Connections were kept, and requests repeated if there are many: otherwise this shows nothing.
    #expect(counts.count > connections.withLock { $0 })
    #expect(repeated > 0 || count < 1_000)
  }
}
