import LinkcheckReaders

@testable import MillraceHTTP

/// An address has one spelling, which leads to one server; a link on it is an address or none.
func fuzzAddresses(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  let lines = text.utf8.split(separator: 10, maxSplits: 1).map { String(Substring($0)) }
  let parts = URLReference(text)
  check(URLReference(parts.description).description == parts.description, "parts are cut otherwise again")
  _ = HTTPFailure.badURL(text).description
  guard let first = lines.first else { return }
  if let address = try? HTTPAddress(first) {
    check(address.sent.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(address.sent) is not sent as it is")
    let again = try? HTTPAddress(address.sent)
    check(again?.sent == address.sent, "\(address.sent) becomes \(again?.sent ?? "none")")
    check(again?.origin == address.origin, "\(address.sent) leads to another server")
    if let target = try? address.resolving(lines.last ?? "") {
      check((try? HTTPAddress(target.sent))?.sent == target.sent, "\(target.sent) is no address")
    }
    if let secret = address.credentials, secret.utf8.count > 8 {
      let shown = URLReference(Redaction.address(first)).authority ?? ""
      check(!shown.contains(secret), "the secret \(secret) is shown")
    }
  }
  if let page = Address(first) {
    check(Address(page.text) == page, "\(page.text) has another spelling")
    if case .address(let target) = page.resolving(lines.last ?? "") {
      check(Address(target.text) == target, "\(target.text) has another spelling")
    }
  }
  let path = [UInt8(ascii: "/")] + bytes.filter { $0 != 0 }
  check(Address(file: path).filePath == path, "a path is another file's")
}
