import Foundation
import HostileServer
import MillraceHTTP
import MillraceTesting
import Testing

/// The values that requests and answers are made of.
@Suite(.stopsServers) struct HTTPValuesTests {
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
    let server = try LoopbackServer(noting: heads) { _ in
      page("", "Set-Cookie: a=1, b\r\nX: y\r\nset-cookie: c=2\r\n")
    }
    var request = HTTPRequest(server.url(), headers: ["x-empty": ""], timeout: nil)
    request.headers.append("1", to: "X-Tag")
    request.headers.append("2", to: "x-tag")
    let response = try await HTTPClient.untimed().load(request)
    #expect(response.headers.values(of: "set-cookie") == ["a=1, b", "c=2"])
    let lines = heads.values[0].lowercased().components(separatedBy: "\r\n")
    #expect(lines.filter { $0.hasPrefix("x-") } == ["x-empty:", "x-tag: 1", "x-tag: 2"])
  }

  // MARK: Bytes

  private let one = "http://a/caf\u{E9}"
  private let other = "http://a/cafe\u{301}"

  @Test("what differs in its bytes is not equal, though it looks equal")
  func bytes() {
    #expect(one == other)
    #expect(HTTPRequest(one) != HTTPRequest(other))
    #expect(Set([HTTPRequest(one), HTTPRequest(other), HTTPRequest(one)]).count == 2)
    let request = HTTPRequest("http://a/")
    #expect(HTTPDownloadRequest(request, to: one) != HTTPDownloadRequest(request, to: other))
    #expect(HTTPUploadRequest(request, from: one) != HTTPUploadRequest(request, from: other))
    #expect(HTTPRequest(one, headers: ["a": one]) != HTTPRequest(one, headers: ["a": other]))
    let effect = HTTPDownloadEffect()
    #expect(
      effect.id(of: HTTPDownloadRequest(request, to: one))
        != effect.id(of: HTTPDownloadRequest(request, to: other))
    )
    #expect(Set(["ab", "a", "b", ""].map { HTTPRequest($0) }).count == 4)
  }

  @Test("a request that is changed and changed back is the same one")
  func changed() {
    var request = HTTPRequest(one)
    request.url = other
    #expect(request != HTTPRequest(one))
    request.url = one
    #expect(request == HTTPRequest(one))
    #expect(request.hashValue == HTTPRequest(one).hashValue)
  }

  // MARK: Validators

  @Test(
    "a validator is remembered as it is",
    arguments: [
      HTTPValidator(), HTTPValidator(entityTag: "W/\"v1\""),
      HTTPValidator(entityTag: "\"v1\"", lastModified: "Wed, 21 Oct 2015 07:28:00 GMT"),
    ])
  func coded(validator: HTTPValidator) throws {
    let data = try JSONEncoder().encode(validator)
    #expect(try JSONDecoder().decode(HTTPValidator.self, from: data) == validator)
  }

  @Test("a field that cannot be sent is not decoded", arguments: ["entityTag", "lastModified"])
  func refused(key: String) throws {
    let data = Data(#"{"\#(key)": "a\r\nb"}"#.utf8)
    let error = try #require(throws: DecodingError.self) {
      try JSONDecoder().decode(HTTPValidator.self, from: data)
    }
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(context.codingPath.map(\.stringValue) == [key])
    #expect(context.debugDescription == "a line break or a zero cannot be sent in a header field")
  }

  // MARK: Retry-After

  private static let start = "Sun, 06 Nov 1994 08:49:37 GMT"

  private func delay(_ field: String, date: String = Self.start) -> Duration? {
    HTTPFailure.statusNotAccepted(status: 503, headers: ["Retry-After": field, "date": date], excerpt: "")
      .retryDelay
  }

  @Test(
    "seconds and dates in each of their forms say how long to wait",
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
    #expect(delay(field) == seconds.map { .seconds($0) })
  }

  @Test(
    "every day since 1970 is counted once, and a year of two digits is one from 1970 to 2069",
    arguments: [
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
      ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800), ("Sun, 31 Dec 2023 23:59:59 GMT", 1_704_067_199),
      ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400), ("Friday, 01-Jan-27 00:00:00 GMT", 1_798_761_600),
      ("Tuesday, 01-Jan-69 00:00:00 GMT", 3_124_224_000), ("Thursday, 01-Jan-70 00:00:00 GMT", 0),
    ])
  func days(text: String, seconds: Int) {
    // Counted from 1 January 2001 where that is not later.
    let late = 978_307_200
    if seconds > late {
      #expect(delay(text, date: "Mon, 01 Jan 2001 00:00:00 GMT") == .seconds(seconds - late))
    } else {
      #expect(delay(text, date: "Thu, 01 Jan 1970 00:00:00 GMT") == .seconds(seconds))
    }
  }

  @Test("a failure says how long to wait where its server does, also within the failure of a transfer")
  func failures() {
    #expect(delay("7") == .seconds(7))
    let busy = HTTPFailure.statusNotAccepted(status: 503, headers: ["Retry-After": "7"], excerpt: "")
    #expect(HTTPDownloadFailure.loading(busy).retryDelay == .seconds(7))
    #expect(HTTPUploadFailure.loading(busy).retryDelay == .seconds(7))
    #expect(HTTPFailure.timedOut.retryDelay == nil)
    #expect(HTTPDownloadFailure.writing(path: "", errorNumber: 1).retryDelay == nil)
    // No wait is longer than a timer can be, and without a date of its own an answer counts from now.
    #expect(delay("99999999999999999999", date: "x").map { $0 > .seconds(86_400) } == true)
    #expect(delay("Thu, 01 Jan 1970 00:01:40 GMT", date: "x") == .zero)
    #expect(delay("Friday, 31-Dec-69 00:00:00 GMT", date: "x").map { $0 > .zero } == true)
  }

  @Test("an event tells which request it is of")
  func events() {
    let request = HTTPRequest("http://example.org/")
    #expect(HTTPEvent.response(HTTPResponse(), to: request).request == request)
    #expect(HTTPEvent.failed(.cancelled, of: request).request == request)
  }
}
