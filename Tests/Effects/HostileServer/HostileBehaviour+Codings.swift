import Foundation

extension HostileBehaviour {
  /// Coded bodies, each with an honest length.
  static let codings: [HostileBehaviour] = [
    coded("gzip", "gzip", .answer("hello"), Gzip.stored("hello")),
    coded("capital-gzip", "GZIP", .answer("hello"), Gzip.stored("hello")),
    coded("x-gzip", "x-gzip", .answer("hello"), Gzip.stored("hello")),
    coded("identity", "identity", .answer("hello"), Array("hello".utf8)),
    coded("empty-coding", "", .answer("hello"), Array("hello".utf8)),
    coded("gzip-of-two-members", "gzip", .answer("hello"), Gzip.stored("hel") + Gzip.stored("lo")),
    coded("gzip-with-zeros-after-it", "gzip", .answer("hello"), Gzip.stored("hello") + [0, 0, 0, 0]),
    coded(
      "gzip-with-garbage-after-it", "gzip", .answer("hello"), Gzip.stored("hello") + Array("garbage".utf8)),
    coded("gzip-of-nothing", "gzip", .answer(""), Gzip.stored("")),
    coded("gzip-without-a-byte", "gzip", .answer(""), []),
    coded("gzip-of-one-byte", "gzip", .undecodable, [0x1F]),
    coded("gzip-cut-in-its-head", "gzip", .undecodable, Array(Gzip.stored("hello").prefix(7))),
    coded("gzip-cut-in-its-data", "gzip", .undecodable, Array(Gzip.stored("hello").prefix(17))),
    coded("gzip-cut-in-its-end", "gzip", .undecodable, Array(Gzip.stored("hello").dropLast(3))),
    coded(
      "gzip-cut-in-its-second-member", "gzip", .undecodable,
      Gzip.stored("hel") + Gzip.stored("lo").dropLast(3)),
    coded("gzip-with-wrong-checksum", "gzip", .undecodable, Gzip.stored("hello", checksum: 1)),
    coded("gzip-that-is-plain", "gzip", .undecodable, Array("hello, this is plain text".utf8)),
    coded(
      "gzip-of-broken-data", "gzip", .undecodable,
      Array(Gzip.stored("hello").prefix(10)) + [0xFF, 0xFF, 0xFF, 0xFF]),
    coded("none-as-coding", "none", .answer("hello"), Array("hello".utf8)),
    coded("gzip-twice", "gzip, gzip", .answer("hello"), Gzip.stored(Gzip.stored("hello"))),
    coded("gzip-once-of-two", "gzip, gzip", .undecodable, Gzip.stored("hello")),
    coded("deflate-in-gzip", "deflate, gzip", .answer("hello"), Gzip.stored(Gzip.zlib("hello"))),
    coded(
      "gzip-in-bare-deflate", "gzip,, none ,\tDeflate", .answer("hello"), Gzip.deflated(Gzip.stored("hello"))),
    coded(
      "gzip-five-times", Array(repeating: "gzip", count: 5).joined(separator: ", "), .answer("hello"),
      (0..<4).reduce(Gzip.stored("hello")) { bytes, _ in Gzip.stored(bytes) }),
    coded(
      "two-codings-cut-in-the-inner", "gzip, gzip", .undecodable,
      Gzip.stored(Array(Gzip.stored("hello").dropLast(3)))),
    coded("unknown-coding-in-gzip", "rot13, gzip", .undecodable, Gzip.stored("uryyb")),
    // Ten megabytes of empty blocks within: much work, and not a byte of a body.
    coded("bomb-within", "gzip, gzip, gzip", .undecodable, Array(Data(base64Encoded: emptyBlocks) ?? Data())),
    coded("deflate", "deflate", .answer("hello"), Gzip.zlib("hello")),
    coded("bare-deflate", "deflate", .answer("hello"), Gzip.deflated(Array("hello".utf8))),
    coded("deflate-cut", "deflate", .undecodable, Array(Gzip.zlib("hello").dropLast(2))),
    coded("bare-deflate-cut", "deflate", .undecodable, Array(Gzip.deflated(Array("hello".utf8)).dropLast(2))),
    coded("deflate-of-one-byte", "deflate", .undecodable, [0x78]),
    coded("brotli-unasked", "br", .undecodable, Array("hello".utf8)),
    coded("unknown-coding", "rot13", .undecodable, Array("uryyb".utf8)),
    coded("unknown-coding-of-nothing", "rot13", .answer(""), []),
    coded(
      "hundred-codings", Array(repeating: "gzip", count: 100).joined(separator: ", "), .undecodable,
      Gzip.stored("hello")),
    coded("bomb", "gzip", .tooLarge, Array(Data(base64Encoded: millionZeros) ?? Data())),
    .init("gzip-cut-by-the-connection", .cut) { connection, _ in
      let bytes = Gzip.stored("hello")
      connection.write("\(ok)Content-Encoding: gzip\r\nContent-Length: \(bytes.count)\r\n\r\n")
      connection.write(Array(bytes.dropLast(3)))
    },
    .init("gzip-chunked-with-trailer", .answer("hello")) { connection, _ in
      let bytes = Gzip.stored("hello")
      connection.write("\(ok)Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n")
      for byte in bytes { connection.write(Array("1\r\n".utf8) + [byte, 13, 10]) }
      connection.write("0\r\nX-Checksum: 1\r\n\r\n")
    },
    .init("coded-error-page", .status(404)) { connection, _ in
      let bytes = Array(Gzip.stored("hello").prefix(17))
      connection.write("HTTP/1.1 404 No\r\nContent-Encoding: gzip\r\nContent-Length: \(bytes.count)\r\n\r\n")
      connection.write(bytes)
    },
  ]

  private static func coded(
    _ name: String, _ coding: String, _ ending: Ending, _ bytes: [UInt8]
  ) -> HostileBehaviour {
    HostileBehaviour(name, ending, keepsConnection: true) { connection, _ in
      connection.write("\(ok)Content-Encoding: \(coding)\r\nContent-Length: \(bytes.count)\r\n\r\n")
      connection.write(bytes)
    }
  }
}

/// A million zero bytes, coded by gzip.
private let millionZeros =
  "H4sIAAAAAAACA+3BAQEAAACCIP+vbkhAAQ" + String(repeating: "A", count: 1290) + "rwaey3kSQEIPAA=="

/// Two million empty blocks in a member of gzip, coded by gzip twice more.
private let emptyBlocks =
  "H4sIAAAAAAACA+3ZoU4CARzH8f8ONy5AZW4XMNnczig0bZSjG/QFCFYrFGZHNzefgQBkHGxKo6kzujmCb2DA3WN4+3z2Db93+LXv0igltZ"
  + "/1czPiIE6Ly8P37ejsdjPvfD1mAQAAAAAAVMr1x/giKcfR/qp7Ph18LiRJkiRJkiRJUrWaZS/HEXljtdsX9d5T+jrMXSQAwL+1bL39Jjf9"
  + "75P7yUP8AdsF++QUOQAA"
