/// An enum of the library that describes itself in words. What reflection tells of a case without values is only that
/// description, so the enum says how such a case is written in Swift.
package protocol BareCases {
  /// The name of the case, if it has no values.
  var bareCase: String? { get }
}
