private enum ScreenPathKey: CodingKey { case entries, lastNumber }

extension ScreenPath: Encodable where Screen: Encodable {
  /// Encodes the entries with their identities.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ScreenPathKey.self)
    try container.encode(entries, forKey: .entries)
    try container.encode(lastNumber, forKey: .lastNumber)
  }
}

extension ScreenPath: Decodable where Screen: Decodable {
  /// Decodes the entries with their identities.
  ///
  /// - Throws: `DecodingError.dataCorrupted`, with the identity, if two entries have equal identities, an identity was
  ///   not given by the path yet, or no further identity can be given.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ScreenPathKey.self)
    let entries = try container.decode(KeyedArray<Entry>.self, forKey: .entries)
    let lastNumber = try container.decode(UInt64.self, forKey: .lastNumber)
    guard lastNumber < .max else {
      throw DecodingError.dataCorruptedError(
        forKey: .lastNumber, in: container, debugDescription: "no identity is left after #\(lastNumber)")
    }
    if let stranger = entries.ids.first(where: { $0.number == 0 || $0.number > lastNumber }) {
      throw DecodingError.dataCorruptedError(
        forKey: .entries, in: container,
        debugDescription: "the identity \(stranger) was never given: the last one is #\(lastNumber)")
    }
    self.init(entries: entries, lastNumber: lastNumber)
  }
}
