/// An enum of the library with its own description. For a case without values, reflection shows only that description,
/// so the enum provides the name of the case in Swift.
package protocol BareCases: Hashable {
  /// The names of the cases without values.
  static var bareCases: [Self: String] { get }
}

extension BareCases {
  /// The name of the case, if it has no values.
  package var bareCase: String? { Self.bareCases[self] }
}
