/// The name that a server gives one version of a resource.
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
  /// The name of this version; `nil` if the server gives none.
  public var validator: HTTPValidator? {
    let validator = HTTPValidator(entityTag: headers["etag"], lastModified: headers["last-modified"])
    return validator == HTTPValidator() ? nil : validator
  }

  /// Whether the server says that the version known to the request is still current. The response has no body then.
  public var isNotModified: Bool { status == 304 }
}
