/// An enum of the library with its own description. For a case without values, reflection shows only that description,
/// so the enum provides the name of the case in Swift.
package protocol BareCases {
  /// The name of the case, if it has no values.
  var bareCase: String? { get }
}
