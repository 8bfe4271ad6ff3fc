import Foundation
import MillraceTesting

extension IncrementingIDs where ID == UUID {
  /// Returns a source of UUIDs that end in the numbers from `first` on, in hexadecimal digits:
  /// `00000000-0000-0000-0000-000000000000`, `00000000-0000-0000-0000-000000000001`, and so on.
  ///
  /// ```swift
  /// let ids = IncrementingIDs.uuids()
  /// #expect(ids.next().uuidString == "00000000-0000-0000-0000-000000000000")
  /// #expect(ids.next().uuidString == "00000000-0000-0000-0000-000000000001")
  /// ```
  ///
  /// - Precondition: `first` is not negative.
  public static func uuids(from first: Int = 0) -> IncrementingIDs<UUID> {
    precondition(first >= 0, "a UUID cannot end in \(first)")
    return IncrementingIDs(from: first) { number in
      let bytes = withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }  // a copy of an integer's bytes
      return UUID(
        uuid: (
          0, 0, 0, 0, 0, 0, 0, 0,
          bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]
        ))
    }
  }
}
