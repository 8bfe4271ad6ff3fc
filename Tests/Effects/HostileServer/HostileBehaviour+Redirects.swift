extension HostileBehaviour {
  /// Redirects that lead in circles, nowhere, or where nobody should go.
  static let redirects: [HostileBehaviour] = [
    .init("redirect-loop", .redirectLoop, keepsConnection: true) { connection, _ in
      connection.write(moved("/redirect-loop"))
    },
    .init("redirect-circle", .redirectLoop, keepsConnection: true) { connection, step in
      connection.write(moved(step == "b" ? "/redirect-circle/a" : "/redirect-circle/b"))
    },
    .init("redirect-without-end", .redirectLoop, keepsConnection: true) { connection, step in
      connection.write(moved("/redirect-without-end/\((Int(step) ?? 0) + 1)"))
    },
    .init("three-redirects", .answer("hello"), keepsConnection: true) { connection, step in
      let number = Int(step) ?? 0
      connection.write(
        number < 3
          ? moved("\(number == 0 ? "three-redirects/" : "")\(number + 1)")
          : "\(ok)Content-Length: 5\r\n\r\nhello")
    },
    .redirect("redirect-to-nothing", .status(302), to: nil),
    .redirect("redirect-to-emptiness", .status(302), to: ""),
    .redirect("redirect-to-ftp", .badRedirect, to: "ftp://127.0.0.1/"),
    .redirect("redirect-to-file", .badRedirect, to: "file:///etc/passwd"),
    .redirect("redirect-to-script", .badRedirect, to: "javascript:alert(1)"),
    .redirect("redirect-to-data", .badRedirect, to: "data:text/html,hello"),
    .redirect("redirect-to-no-host", .badRedirect, to: "http://"),
    .redirect("redirect-to-no-host-but-a-port", .badRedirect, to: "http://:80/"),
    .redirect("redirect-to-port-99999", .badRedirect, to: "http://127.0.0.1:99999/"),
    .redirect("redirect-to-port-0", .badRedirect, to: "http://127.0.0.1:0/"),
    .redirect("redirect-to-letters-as-port", .badRedirect, to: "http://127.0.0.1:http/"),
    .redirect("redirect-to-odd-host", .badRedirect, to: "http://a b/"),
    .redirect("redirect-to-half-an-ipv6-address", .badRedirect, to: "http://[::1/"),
    .redirect("redirect-to-escape", .badRedirect, to: "/\u{1B}[31m"),
    .redirect("redirect-to-nobody", .nobody, to: "http://127.0.0.1:1/"),
    .redirect("redirect-to-relative", .answer("hello"), to: "./x/../../length"),
    .redirect("redirect-to-parents", .answer("hello"), to: "../../../../length"),
    .redirect("redirect-to-query", .redirectLoop, to: "?again"),
    .redirect("redirect-to-fragment", .redirectLoop, to: "#here"),
    .redirect("redirect-to-space", .status(404), to: "/a b"),
    .redirect("redirect-to-umlaut", .status(404), to: "/zoë"),
    .redirect("redirect-to-long-path", .status(404), to: "/" + String(repeating: "a", count: 50_000)),
    .init(
      "redirect-to-latin1", .status(404),
      writes: Array("HTTP/1.1 302 Moved\r\nContent-Length: 0\r\nLocation: /zo".utf8) + [0xEB]
        + Array("\r\n\r\n".utf8)),
    .redirect("redirect-to-two-places", .malformed, to: "/length\r\nLocation: /busy"),
    .redirect("redirect-twice-to-one-place", .answer("hello"), to: "/length\r\nLocation: /length"),
    .redirect("several-choices", .status(300), to: "/length", status: 300),
    .redirect("use-proxy", .status(305), to: "/length", status: 305),
    .redirect("switch-proxy", .status(306), to: "/length", status: 306),
    .redirect("moved-309", .status(309), to: "/length", status: 309),
    .redirect("moved-307", .answer("hello"), to: "/length", status: 307),
    .redirect("moved-308", .answer("hello"), to: "/length", status: 308),
    .init(
      "redirect-with-cut-body", .answer("hello"),
      writes: "HTTP/1.1 302 Moved\r\nLocation: /length\r\nContent-Length: 50\r\n\r\nmo"),
    .init(
      "redirect-with-two-lengths", .malformed,
      writes: "HTTP/1.1 302 Moved\r\nLocation: /length\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nmo"),
    .init(
      "redirect-with-coded-body", .answer("hello"),
      writes:
        "HTTP/1.1 302 Moved\r\nLocation: /length\r\nContent-Encoding: rot13\r\nContent-Length: 2\r\n\r\nmo"),
    .init("redirect-with-body-without-end", .answer("hello")) { connection, _ in
      connection.write("HTTP/1.1 302 Moved\r\nLocation: /length\r\n\r\n")
      flood(connection)
    },
    .init("redirect-with-huge-length", .answer("hello")) { connection, _ in
      connection.write("HTTP/1.1 302 Moved\r\nLocation: /length\r\nContent-Length: 99999999999\r\n\r\n")
      connection.waitForClose()
    },
  ]

  private static func moved(_ location: String) -> String {
    "HTTP/1.1 302 Moved\r\nLocation: \(location)\r\nContent-Length: 5\r\n\r\nmoved"
  }

  private static func redirect(
    _ name: String, _ ending: Ending, to location: String?, status: Int = 302
  ) -> HostileBehaviour {
    let field = location.map { "Location: \($0)\r\n" } ?? ""
    return HostileBehaviour(name, ending, keepsConnection: true) { connection, _ in
      connection.write("HTTP/1.1 \(status) Moved\r\n\(field)Content-Length: 5\r\n\r\nmoved")
    }
  }
}
