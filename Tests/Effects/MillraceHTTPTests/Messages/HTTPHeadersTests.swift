import Foundation
import HostileServer
import MillraceTesting
import Testing

@testable import MillraceHTTP

@Suite struct HTTPHeadersTests {
  @Test("a field that repeats keeps every value in order, and setting it replaces them all")
  func repeated() {
    var headers: HTTPHeaders = ["A": "1"]
    headers.append("2", to: "a")
    headers.append("3, 4", to: "B")
    #expect(headers.values(of: "A") == ["1", "2"])
    #expect(headers["a"] == "1, 2")
    #expect(headers.values(of: "b") == ["3, 4"])
    #expect(headers.values(of: "c").isEmpty)
    #expect(headers.names == ["a", "b"])
    headers["a"] = "5"
    #expect(headers.values(of: "a") == ["5"])
    headers["a"] = nil
    #expect(headers.names == ["b"])
  }

  @Test("fields that repeat come one by one, and go out one by one")
  func onTheWire() async throws {
    let heads = Recorder<String>()
    let server = try LoopbackServer { connection in
      heads.append(connection.readHead() ?? "")
      connection.write(
        "HTTP/1.1 200 OK\r\nSet-Cookie: a=1, b\r\nX: y\r\nset-cookie: c=2\r\nContent-Length: 0\r\n\r\n")
    }
    var request = HTTPRequest(server.url(), headers: ["x-empty": ""], timeout: nil)
    request.headers.append("1", to: "X-Tag")
    request.headers.append("2", to: "x-tag")
    let response = try await HTTPClient().load(request)
    await server.stop()
    #expect(response.headers.values(of: "set-cookie") == ["a=1, b", "c=2"])
    let lines = heads.values[0].lowercased().components(separatedBy: "\r\n")
    #expect(lines.filter { $0.hasPrefix("x-") } == ["x-empty:", "x-tag: 1", "x-tag: 2"])
  }
}

@Suite struct RetryAfterTests {
  @Test(
    "seconds and dates in each of their forms are understood",
    arguments: [
      ("0", 0), ("120", 120), (" 7 ", 7), ("Sun, 06 Nov 1994 08:49:47 GMT", 10),
      ("Sunday, 06-Nov-94 08:49:47 GMT", 10), ("Sun Nov  6 08:49:47 1994", 10),
      ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
      ("Mon, 07 Nov 1994 08:49:37 GMT", 86_400), ("-1", nil), ("1.5", nil), ("soon", nil), ("", nil),
      ("Sun, 06 Nov 1994", nil), ("Sun, 06 Nov 1994 25:00:00 GMT", nil),
      ("Sun, 32 Nov 1994 08:49:47 GMT", nil),
      ("Sun, 06 Foo 1994 08:49:47 GMT", nil), ("Sun, 06 Nov 1994 08:49:47 CET", nil),
    ] as [(String, Int?)])
  func forms(field: String, seconds: Int?) {
    let headers: HTTPHeaders = ["retry-after": field, "date": "Sun, 06 Nov 1994 08:49:37 GMT"]
    #expect(RetryAfter.delay(in: headers) == seconds.map { .seconds($0) })
  }

  @Test("without a date of its own an answer counts from now, and no wait is longer than a timer can be")
  func now() {
    let headers: HTTPHeaders = ["retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"]
    #expect(RetryAfter.delay(in: headers, now: Date(timeIntervalSince1970: 40)) == .seconds(60))
    #expect(RetryAfter.delay(in: [:]) == nil)
    let never: HTTPHeaders = ["retry-after": "99999999999999999999", "date": "x"]
    #expect(RetryAfter.delay(in: never).map { $0 > .seconds(86_400) } == true)
  }

  @Test(
    "every day since 1970 is counted once",
    arguments: [
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
      ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800), ("Sun, 31 Dec 2023 23:59:59 GMT", 1_704_067_199),
      ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
    ])
  func days(text: String, seconds: Int) {
    #expect(HTTPDate(text)?.seconds == seconds)
  }

  @Test("a year of two digits is one from 1970 to 2069")
  func twoDigits() {
    #expect(HTTPDate("Friday, 01-Jan-27 00:00:00 GMT")?.seconds == 1_798_761_600)
    #expect(HTTPDate("Tuesday, 01-Jan-69 00:00:00 GMT")?.seconds == 3_124_224_000)
    #expect(HTTPDate("Thursday, 01-Jan-70 00:00:00 GMT")?.seconds == 0)
  }

  @Test("a failure says how long to wait where its server does, also within the failure of a transfer")
  func failures() {
    let busy = HTTPFailure.statusNotAccepted(status: 503, headers: ["Retry-After": "7"], excerpt: "")
    #expect(busy.retryDelay == .seconds(7))
    #expect(HTTPDownloadFailure.loading(busy).retryDelay == .seconds(7))
    #expect(HTTPUploadFailure.loading(busy).retryDelay == .seconds(7))
    #expect(HTTPFailure.timedOut.retryDelay == nil)
    #expect(HTTPDownloadFailure.writing(path: "", errorNumber: 1).retryDelay == nil)
  }
}
