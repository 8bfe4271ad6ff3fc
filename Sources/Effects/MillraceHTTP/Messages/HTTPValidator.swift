/// The name that a server gives to one version of a resource.
///
/// ```swift
/// var again = HTTPRequest("https://example.org/feed")
/// again.known = page.validator
/// ```
///
/// It is `Codable`, so that you can keep it with the resource, for instance in a file beside a download. A value that
/// cannot be sent as a field is not decoded.
public struct HTTPValidator: Hashable, Sendable {
  /// The `ETag` field, with its quotes.
  public var entityTag: String?
  /// The `Last-Modified` field.
  public var lastModified: String?

  /// Accepts any text.
  public init(entityTag: String? = nil, lastModified: String? = nil) {
    self.entityTag = entityTag
    self.lastModified = lastModified
  }

  /// The entity tag if it means that every byte is the same; `nil` for a weak one.
  var strongTag: String? { entityTag.flatMap { $0.hasPrefix("\"") ? $0 : nil } }
}

extension HTTPValidator: Codable {
  private enum CodingKeys: CodingKey { case entityTag, lastModified }

  /// Decodes a validator.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if a field contains a line break or a zero, which no server can have sent.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func field(_ key: CodingKeys) throws -> String? {
      let value = try container.decodeIfPresent(String.self, forKey: key)
      if let value, !value.isFieldValue {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container,
          debugDescription: "a line break or a zero cannot be sent in a header field")
      }
      return value
    }
    self.init(entityTag: try field(.entityTag), lastModified: try field(.lastModified))
  }
}

extension HTTPResponse {
  /// The validator of this version; `nil` if the server sends none.
  public var validator: HTTPValidator? {
    let validator = HTTPValidator(entityTag: headers["etag"], lastModified: headers["last-modified"])
    return validator == HTTPValidator() ? nil : validator
  }

  /// Whether the server reports that the version known to the request is still current. The response then has no body.
  public var isNotModified: Bool { status == 304 }
}
