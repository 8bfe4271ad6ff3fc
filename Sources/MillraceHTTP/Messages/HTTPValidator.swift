/// What tells one version of a resource from another, as its server has named it.
///
/// ```swift
/// var again = HTTPRequest("https://example.org/feed")
/// again.known = page.validator
/// ```
public struct HTTPValidator: Hashable, Sendable {
  /// The `ETag` field, with its quotes.
  public var entityTag: String?
  /// The `Last-Modified` field.
  public var lastModified: String?

  /// Makes a validator.
  public init(entityTag: String? = nil, lastModified: String? = nil) {
    self.entityTag = entityTag
    self.lastModified = lastModified
  }

  /// The entity tag if it says that every byte is the same, which a weak one does not.
  var strongTag: String? { entityTag.flatMap { $0.hasPrefix("\"") ? $0 : nil } }
}

extension HTTPResponse {
  /// What the server calls this version; `nil` if it does not.
  public var validator: HTTPValidator? {
    let validator = HTTPValidator(entityTag: headers["etag"], lastModified: headers["last-modified"])
    return validator == HTTPValidator() ? nil : validator
  }

  /// Whether the server says that what the request knows is still the same. There is no body.
  public var isNotModified: Bool { status == 304 }
}
