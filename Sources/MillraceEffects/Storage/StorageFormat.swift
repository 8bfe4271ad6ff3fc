import Foundation

/// How a value is written in a file: the version of its layout, and how it becomes bytes and back.
public struct StorageFormat<Value: Sendable>: Sendable {
  /// The version of the layout that is written. A file of a higher one is not touched.
  public var version: UInt32
  /// Makes the bytes of a value.
  public var encode: @Sendable (Value) throws -> Data
  /// Makes a value of the bytes that were written with a version, which is never higher than this one's.
  public var decode: @Sendable (Data, UInt32) throws -> Value

  /// Makes a format.
  public init(
    version: UInt32, encode: @escaping @Sendable (Value) throws -> Data,
    decode: @escaping @Sendable (Data, UInt32) throws -> Value
  ) {
    self.version = version
    self.encode = encode
    self.decode = decode
  }
}

extension StorageFormat where Value: Codable {
  /// JSON with its keys in order. Older versions are decoded as the current one; where that does not do, give
  /// a `decode` of your own.
  public static func json(version: UInt32 = 1) -> StorageFormat {
    StorageFormat(
      version: version,
      encode: { value in
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(value)
      },
      decode: { data, _ in try JSONDecoder().decode(Value.self, from: data) })
  }
}
