#if !canImport(Darwin)
import CMillraceCurl
import Foundation
import HostileServer
import MillraceTesting
import TestSupport
import Testing

@testable import MillraceHTTP

private let unusableProxy = "its address is not valid, or of a kind that libcurl does not know"

@Suite(.stopsServers, .serialized) struct CurlTests {
  @Test("the options are those of the library that is loaded", arguments: CurlOption.allCases)
  func options(option: CurlOption) throws {
    let library = try CurlLibrary.shared.get()
    let name = millrace_curl_option_name(option.rawValue).map { String(cString: $0) }
    // Before 7.73 the library cannot be asked, and an option that came later is not there.
    if name == "" || (name == nil && library.version < option.since) { return }
    #expect(name?.replacing("_", with: "").lowercased() == "\(option)".lowercased())
  }

  @Test("the options of the callbacks are those of the library too")
  func callbackOptions() {
    let options: [(String, Int)] = [
      ("VERBOSE", MILLRACE_CURL_VERBOSE), ("WRITEDATA", MILLRACE_CURL_WRITEDATA),
      ("READDATA", MILLRACE_CURL_READDATA), ("ERRORBUFFER", MILLRACE_CURL_ERRORBUFFER),
      ("HEADERDATA", MILLRACE_CURL_HEADERDATA), ("DEBUGDATA", MILLRACE_CURL_DEBUGDATA),
      ("OPENSOCKETDATA", MILLRACE_CURL_OPENSOCKETDATA), ("SEEKDATA", MILLRACE_CURL_SEEKDATA),
      ("CLOSESOCKETDATA", MILLRACE_CURL_CLOSESOCKETDATA),
      ("RESOLVER_START_DATA", MILLRACE_CURL_RESOLVER_START_DATA),
      ("PREREQDATA", MILLRACE_CURL_PREREQDATA), ("WRITEFUNCTION", MILLRACE_CURL_WRITEFUNCTION),
      ("READFUNCTION", MILLRACE_CURL_READFUNCTION), ("HEADERFUNCTION", MILLRACE_CURL_HEADERFUNCTION),
      ("DEBUGFUNCTION", MILLRACE_CURL_DEBUGFUNCTION),
      ("OPENSOCKETFUNCTION", MILLRACE_CURL_OPENSOCKETFUNCTION),
      ("SEEKFUNCTION", MILLRACE_CURL_SEEKFUNCTION),
      ("CLOSESOCKETFUNCTION", MILLRACE_CURL_CLOSESOCKETFUNCTION),
      ("RESOLVER_START_FUNCTION", MILLRACE_CURL_RESOLVER_START_FUNCTION),
      ("PREREQFUNCTION", MILLRACE_CURL_PREREQFUNCTION),
    ]
    for (name, number) in options {
      let found = millrace_curl_option_name(Int32(number)).map { String(cString: $0) }
      if found == "" || (found == nil && name.hasPrefix("PREREQ")) { continue }
      #expect(found == name)
    }
  }

  @Test("a library that is missing is a failure of each request, and says which")
  func missing() async throws {
    guard case .failure(let failure) = CurlLibrary.load(["libnowhere.so.1"]) else {
      Issue.record("loaded")
      return
    }
    #expect("\(failure)".contains("libnowhere.so.1"))
    #expect(!failure.isTransient)
    let client = HTTPClient(transport: CurlTransport(connectionsPerHost: 1, library: .failure(failure)))
    for _ in 0..<2 {
      await #expect(throws: failure) { try await client.load(HTTPRequest("http://127.0.0.1:1/")) }
    }
    await #expect(throws: failure) {
      try await client.stream(HTTPRequest("http://127.0.0.1:1/")) { _ in .goOn }
    }
  }

  @Test("a library that is too old or lacks something says so")
  func problems() {
    let states = [
      MILLRACE_CURL_MISSING, MILLRACE_CURL_TOO_OLD, MILLRACE_CURL_INCOMPLETE, MILLRACE_CURL_NOT_STARTED,
    ]
    let problems = states.compactMap { CurlLibrary.problem($0, names: ["x"]) }
    #expect(Set(problems).count == states.count)
    #expect(problems[1].contains("7.68.0"))
    #expect(CurlLibrary.problem(MILLRACE_CURL_READY, names: ["x"]) == nil)
  }

  @Test(
    "the library's codes become the failures that they mean",
    arguments: [
      (1, "", .notHTTP("")), (5, "x", .cannotConnect("the name of the proxy is not known")),
      (5, "Unsupported proxy syntax in 'http://user:secret@'", .proxy(unusableProxy)),
      (7, "Unsupported proxy scheme for 'foo://user:secret@host'", .proxy(unusableProxy)),
      (97, "x", .proxy("x")),
      (97, "no user:secret@host", .proxy("***@host")), (6, "", .hostNotFound("host")),
      (7, "x", .cannotConnect("x")), (8, "x", .notHTTP("x")), (18, "", .cutOff(received: 0, expected: nil)),
      (28, "", .timedOut), (35, "x", .tls("x")), (52, "", .cutOff(received: 0, expected: nil)),
      (55, "", .cutOff(received: 0, expected: nil)), (56, "", .cutOff(received: 0, expected: nil)),
      (56, "bad chunk", .notHTTP("bad chunk")), (60, "x", .tls("x")), (61, "x", .undecodable("x")),
      (77, "x", .tls("x")), (92, "", .cutOff(received: 0, expected: nil)), (4, "x", .unsupported("x")),
      (43, "x", .other("x (libcurl's code 43)")), (27, "x", .other("x (libcurl's code 27)")),
    ] as [(Int32, String, HTTPFailure)])
  func codes(code: Int32, words: String, failure: HTTPFailure) {
    #expect(HTTPFailure(curlCode: code, words: words, host: "host", hasHead: true) == failure)
  }

  @Test("a proxy that refuses a connection says with which status")
  func proxyRefusal() async throws {
    let heads = Recorder<String>()
    let proxy = try LoopbackServer(noting: heads) { _ in page("", status: "403 No") }
    let client = HTTPClient.untimed(proxy: proxy.url(""))
    let failure = await #expect(throws: HTTPFailure.self) {
      try await client.load(HTTPRequest("https://user:secret@example.invalid/", timeout: nil))
    }
    #expect(failure == .proxy("it answered 403"))
    #expect(failure?.isTransient == false)
    #expect(heads.values.first?.hasPrefix("CONNECT example.invalid:443 ") == true)
    #expect(heads.values.first?.contains("uthorization") == false)
  }

  @Test(
    "a request goes through a proxy's tunnel, whatever its method",
    .enabled(if: TLSRelay.shared != nil, "there is no openssl or no python3 to speak TLS"),
    arguments: ["GET", "POST", "DELETE"])
  func tunnelled(method: String) async throws {
    let relay = try #require(TLSRelay.shared)
    let answering = try #require(HTTP2Behaviour.all.first { $0.name == "answer" })
    let server = try HTTP2Server(answering)
    let port = try #require(relay.port(for: server.port))
    let heads = Recorder<String>()
    let proxy = try LoopbackServer { connection in
      heads.append(connection.readHead() ?? "")
      connection.write("HTTP/1.1 200 OK\r\n\r\n")
      connection.tunnel(to: port)
    }
    let client = HTTPClient.untimed(proxy: proxy.url(""), authorities: relay.authority)
    // Twice: the second request finds a tunnel. The host is another than the one that CI excepts from proxies.
    for body in ["hello", "next"] {
      let response = try await client.load(
        HTTPRequest("https://127.0.0.2:\(port)/", method: method, timeout: nil))
      #expect(response.body == Data(body.utf8))
    }
    #expect(heads.values.map { $0.prefix { $0 != " " } } == ["CONNECT"])
    #expect(server.requests.count == 2)
  }

  @Test("what goes through a proxy names the whole address, without credentials")
  func proxied() async throws {
    let heads = Recorder<String>()
    let proxy = try LoopbackServer(noting: heads)
    let client = HTTPClient.untimed(proxy: proxy.url(""))
    let response = try await client.load(HTTPRequest("http://user:secret@example.invalid/a", timeout: nil))
    #expect(response.body == Data("hi".utf8))
    #expect(heads.values.first?.hasPrefix("GET http://example.invalid/a HTTP/1.1\r\n") == true)
  }

  @Test("a client that has nothing to do has no thread, and begins one for each time that it has")
  func idle() async throws {
    let server = try LoopbackServer(noting: Recorder())
    let transport = CurlTransport(connectionsPerHost: 1)
    let client = HTTPClient(transport: transport)
    #expect(!transport.hasThread)
    for _ in 0..<3 {
      _ = try await client.load(HTTPRequest(server.url(), timeout: nil))
      try await eventually { !transport.hasThread }
      #expect(server.clientSockets == 1)
    }
  }
}
#endif
