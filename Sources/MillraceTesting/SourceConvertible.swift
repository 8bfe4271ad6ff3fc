/// A value that says how it is made in Swift, for the tests that an explorer prints.
///
/// Values are printed by what reflection shows: structs by their memberwise initializers. Where a type has another
/// initializer, the test target says which:
///
/// `extension Meters: SourceConvertible { public var source: String { "Meters(\(value))" } }`
public protocol SourceConvertible {
  /// The value as an expression that compiles where nothing tells its type.
  var source: String { get }
}
