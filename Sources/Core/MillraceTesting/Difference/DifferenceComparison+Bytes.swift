extension DifferenceComparison {
  /// Compares `Data`, arrays of bytes and the like, whose mirrors show an address or a value for each byte; `nil` for
  /// other values. Each place that differs is one line, however long it is.
  mutating func compareBytes(_ old: Any, _ new: Any, at path: DifferencePath) -> Outcome? {
    guard let old = old as? any Collection, let new = new as? any Collection else { return nil }
    return Self.withBytes(of: old) { old in
      Self.withBytes(of: new) { new in compareBytes(old, new, at: path) }
    } ?? nil
  }

  private static func withBytes<Bytes: Collection, Result>(
    of bytes: Bytes, _ body: (UnsafeRawBufferPointer) -> Result  // valid within the call
  ) -> Result? {
    guard Bytes.Element.self == UInt8.self, !(bytes is any RangeExpression) else { return nil }
    return bytes.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
      ?? Array(bytes).withUnsafeBytes { body($0) }
  }

  private mutating func compareBytes(
    _ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer, at path: DifferencePath
  ) -> Outcome {
    if old.elementsEqual(new) { return .equal }
    if isProbe { return .different }
    let hunks = EditScript.hunks(old: 0..<old.count, new: 0..<new.count) { old[$0] == new[$1] }
    for hunk in hunks {
      let place = hunk.inserted.isEmpty ? hunk.removed : hunk.inserted
      let path = place.count == 1 ? path.element(at: place.lowerBound) : path.elements(at: place)
      func shown(_ bytes: UnsafeRawBufferPointer, _ part: Range<Int>) -> Any {
        part.count == 1 ? bytes[part.lowerBound] : ShownText.bytes(bytes[part])
      }
      switch (hunk.removed.isEmpty, hunk.inserted.isEmpty) {
      case (true, _): _ = found(.added(shown(new, hunk.inserted), at: nil), at: path)
      case (_, true): _ = found(.removed(shown(old, hunk.removed)), at: path)
      default:
        _ = found(.replaced(old: shown(old, hunk.removed), new: shown(new, hunk.inserted)), at: path)
      }
    }
    return .different
  }
}
