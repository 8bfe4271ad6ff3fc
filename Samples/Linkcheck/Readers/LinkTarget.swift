import MillraceHTTP

/// The target of a link.
package enum LinkTarget: Hashable, Sendable {
  /// An address that can be checked.
  case address(Address)
  /// A kind of link that this program ignores, such as `mailto:`.
  case otherScheme
  /// Not a URL, such as `http://`.
  case invalid
}

/// The address against which a page's links are resolved, parsed once for all of them.
package struct LinkBase: Sendable {
  private let reference: URLReference

  package init(_ address: Address) { reference = URLReference(address.text) }

  package func target(of link: String) -> LinkTarget {
    var link = URLReference(link: link).withPlainSlashes
    // Even if the page is a file, `//host` is a site.
    if link.scheme == nil, link.authority?.isEmpty == false, reference.scheme == "file" {
      link.scheme = "http"
    }
    let resolved = link.resolved(against: reference)
    if let address = Address(resolved) { return .address(address) }
    return ["http", "https", "file"].contains(resolved.scheme) ? .invalid : .otherScheme
  }
}

extension URLReference {
  /// Browsers treat a backslash as a slash in web URLs.
  fileprivate var withPlainSlashes: URLReference {
    guard path.utf8.contains(UInt8(ascii: "\\")), scheme == nil || ["http", "https", "file"].contains(scheme)
    else { return self }
    var plain = URLReference((authority.map { "//" + $0 } ?? "") + path.replacing("\\", with: "/"))
    // The beginning of the path must not be read as a scheme.
    guard plain.scheme == nil else { return self }
    (plain.scheme, plain.query, plain.fragment) = (scheme, query, fragment)
    return plain
  }
}
