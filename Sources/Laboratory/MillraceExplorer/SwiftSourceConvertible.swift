/// A value that says how it is made in Swift, for the tests that an explorer prints.
///
/// Values are printed by what reflection shows: structs by their memberwise initializers, also by one that is private or
/// not there, which reflection does not tell. Where a type has another initializer, the test target says which:
///
/// ```swift
/// extension Meters: SwiftSourceConvertible {
///   var source: String { "Meters(\(value))" }
/// }
/// ```
///
/// Experimental: the explorer may change with every version.
public protocol SwiftSourceConvertible {
  /// The value as an expression that compiles where nothing tells its type.
  var source: String { get }
}
