/// The error of making a ``KeyedArray`` from elements with equal ids.
public struct KeyedArrayError: Error, Equatable, CustomStringConvertible {
  /// The id of both elements.
  public let id: any Hashable & Sendable
  /// The position of the first of them, counted from 0.
  public let firstPosition: Int
  /// The position of the second of them, counted from 0.
  public let secondPosition: Int

  /// The positions and the id, in the form `the elements at positions 3 and 8 have the same id, 7`.
  public var description: String {
    "the elements at positions \(firstPosition) and \(secondPosition) have the same id, \(id)"
  }

  /// Returns whether both errors have the same id and positions.
  public static func == (left: KeyedArrayError, right: KeyedArrayError) -> Bool {
    AnyHashable(left.id) == AnyHashable(right.id)
      && left.firstPosition == right.firstPosition && left.secondPosition == right.secondPosition
  }
}
