import Foundation

/// The format of a stored value: its version, and the conversion to bytes and back.
public struct StorageFormat<Value: Sendable>: Sendable {
  /// The version that is written. A file of a higher version is refused and left unchanged.
  public var version: UInt32
  /// The oldest version that is decoded. A file of a lower version is refused and left unchanged.
  public var oldestVersion: UInt32
  /// Encodes a value.
  public var encode: @Sendable (Value) throws -> Data
  /// Decodes a value that was written with the given version, from the oldest to the current one. If it throws for an
  /// older version, the file is left unchanged.
  public var decode: @Sendable (Data, UInt32) throws -> Value

  /// Makes a format. The closures are called on the queue of the storage.
  public init(
    version: UInt32, oldestVersion: UInt32 = 0, encode: @escaping @Sendable (Value) throws -> Data,
    decode: @escaping @Sendable (Data, UInt32) throws -> Value
  ) {
    self.version = version
    self.oldestVersion = oldestVersion
    self.encode = encode
    self.decode = decode
  }
}

extension StorageFormat {
  /// Returns the next version of this format: another type, and its migration from the type of this version.
  ///
  /// A file of any version since the oldest passes through all migrations in between. Write each migration once, and
  /// never change it or the types that it names:
  ///
  /// ```swift
  /// let format = StorageFormat<NotesV1>.json()
  ///   .migrating(to: NotesV2.self) { old in NotesV2(lines: [old.text]) }
  ///   .migrating(to: NotesV3.self) { old in NotesV3(lines: old.lines, title: old.lines.first ?? "") }
  /// let storage = FileStorage(at: path, format: format)
  /// ```
  ///
  /// The next save writes the new version. `migrate` is called on the queue of the storage. If it throws, loading and
  /// saving fail with ``StorageFailure/notMigratable(_:from:reason:)``, and the file is left unchanged.
  public func migrating<New: Codable & Sendable>(
    to type: New.Type = New.self, _ migrate: @escaping @Sendable (Value) throws -> New
  ) -> StorageFormat<New> {
    let (version, decodeOld) = (version, decode)
    let new = StorageFormat<New>.json(version: version + 1)
    return StorageFormat<New>(
      version: new.version, oldestVersion: oldestVersion, encode: new.encode,
      decode: { data, found in
        found > version ? try new.decode(data, found) : try migrate(decodeOld(data, found))
      })
  }
}

extension StorageFormat where Value: Codable {
  /// A format that writes JSON with sorted keys.
  ///
  /// - Parameters:
  ///   - version: the version that is written.
  ///   - oldestVersion: the oldest version whose files the type can decode unchanged. Pass `version` itself if the
  ///     type has changed and there is no `migrating(to:_:)` from the old one.
  public static func json(version: UInt32 = 1, oldestVersion: UInt32 = 0) -> StorageFormat {
    let isDated = Value.self is any DatedInFile.Type
    return StorageFormat(
      version: version, oldestVersion: oldestVersion,
      encode: { value in
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var data = try encoder.encode(value)
        if isDated {
          let date = Int(Date().timeIntervalSinceReferenceDate)
          data.insert(contentsOf: Data("\"at\":\(date),".utf8), at: 1)
        }
        return data
      },
      decode: { data, _ in try JSONDecoder().decode(Value.self, from: data) })
  }
}

/// A value that is encoded as a JSON object with the time of its writing, for people who read the file. Decoding
/// ignores the time.
protocol DatedInFile {}
