import Foundation
import MillraceHTTP
import Testing

@Suite struct RedactionTests {
  @Test(
    "no credentials of an address are shown, nor values of secret items",
    arguments: [
      ("http://user:secret@example.org/a", "http://***@example.org/a"),
      ("http://secret@example.org/", "http://***@example.org/"),
      ("http://user:s@cret@example.org/", "http://***@example.org/"),
      ("http:user:secret@example.org", "***@example.org"), ("user:secret@example.org/a@b", "***@b"),
      ("http://user:secret@exa mple.org/", "http://***@exa mple.org/"),
      ("http://user:secret@example.org:99999/", "http://***@example.org:99999/"),
      ("http://example.org/@a", "http://example.org/@a"),
      ("http://a/?access_token=secret&b=c#d", "http://a/?access_token=***&b=c#d"),
      ("http://a/?b=c&Password=secret", "http://a/?b=c&Password=***"),
      ("http://a/?password", "http://a/?password"), ("http://a/?mypassword=1", "http://a/?mypassword=1"),
      ("http://a/#?password=1", "http://a/#?password=***"),
      ("http://a/#access_token=1&b=2", "http://a/#access_token=***&b=2"),
      ("http://a/#/b?c=d&password=1#e", "http://a/#/b?c=d&password=***"),
      ("http://a/?b=c#d=e&password=1", "http://a/?b=c#d=e&password=***"),
      ("http://a/?%70assword=1&b=2", "http://a/?%70assword=***&b=2"),
      ("http://a/?b=c;password=1&d=e", "http://a/?b=c;password=***&d=e"),
      ("http://a/?password=1?b=2#c", "http://a/?password=***#c"),
      ("http://a/?%zzpassword=1", "http://a/?%zzpassword=1"),
      ("http://a/?b=password=1&c==password=2", "http://a/?b=password=***&c==password=***"),
    ])
  func addresses(text: String, shown: String) {
    #expect("\(HTTPRequest(text))" == "GET " + shown)
  }

  @Test("nothing that a request, a response or a failure prints holds a secret, whichever way it is printed")
  func values() async {
    var request = HTTPRequest(
      "http://user:secret@[::1]:99999/?password=secret&session=secret",
      headers: ["Authorization": "secret", "cookie": "a=secret", "x-own": "secret", "x-tag": "seen"],
      body: Data("secret".utf8))
    request.headers.secretNames.formUnion(["x-own", "session"])
    var response = HTTPResponse(headers: request.headers, body: Data("secret".utf8), url: request.url)
    response.headers["set-cookie"] = "secret"
    response.headers["location"] = "http://user:secret@example.org/"
    var failures: [HTTPFailure] = [
      .badURL("http://user:secret@a:0/?password=secret"),
      .statusNotAccepted(status: 500, headers: response.headers, excerpt: ""),
    ]
    do throws(HTTPFailure) { _ = try await HTTPClient().load(request) } catch { failures.append(error) }
    #expect(failures.count == 3)
    let download = HTTPDownloadRequest(request, to: "/x")
    let values: [Any] = [
      request, response, HTTPEvent.response(response, to: request),
      HTTPEvent.failed(failures[0], of: request),
      HTTPStreamEvent.began(response, length: nil, of: request), download,
      HTTPUploadRequest(request, from: "/x"),
      HTTPDownloadEvent.failed(.loading(failures[1]), of: download), EventSourceRequest(request), failures,
      request.headers, EventSourceStatus.waiting(delay: .zero, after: failures[2]),
    ]
    for value in values {
      var dumped = ""
      dump(value, to: &dumped)
      for text in [String(describing: value), String(reflecting: value), "\(value)", dumped] {
        #expect(!text.contains("secret"), "\(type(of: value))")
      }
    }
    #expect("\(request.headers)".contains("x-tag: seen"))
    #expect(failures[2] == .badURL("http://***@[::1]:99999/?password=***&session=***"))
    #expect("\(failures[2])".contains("port"))
  }

  @Test("what is printed stays on its line and leaves the terminal alone")
  func controls() {
    let headers: HTTPHeaders = ["x-a": "b\u{1B}[31m\u{7}\u{202E}"]
    #expect(headers.description == "x-a: b\\u{1B}[31m\\u{7}\\u{202E}")
    #expect("\(HTTPFailure.notHTTP("a\r\nb"))" == "the answer is not HTTP: a\\r\\nb")
  }
}
