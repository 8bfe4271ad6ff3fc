/// A value with a Swift expression that makes it, for the tests that an explorer prints.
///
/// The explorer prints structs by memberwise initializers, as reflection shows them. Reflection does not tell whether
/// such an initializer is private or missing. For a type with another initializer, conform it in the test target:
///
/// ```swift
/// extension Meters: SwiftSourceConvertible {
///   var source: String { "Meters(\(value))" }
/// }
/// ```
///
/// Experimental: the explorer may change with every version.
public protocol SwiftSourceConvertible {
  /// The value as an expression that compiles without a type from its context.
  var source: String { get }
}
