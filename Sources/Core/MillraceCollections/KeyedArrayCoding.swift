extension KeyedArray: Encodable where Element: Encodable {
  /// Encodes the elements in order, as an array does.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension KeyedArray: Decodable where Element: Decodable {
  /// Decodes the elements from an array.
  ///
  /// - Throws: `DecodingError.dataCorrupted`, with the id and both positions, if two elements have the same id.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    var elements: [Element] = []
    while !container.isAtEnd { elements.append(try container.decode(Element.self)) }
    do throws(KeyedArrayError) {
      try self.init(elements)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(error)", underlyingError: error))
    }
  }
}
