/// Whether two large collections are equal.
///
/// For `#expect`, which looks for the difference of two collections that it is given as they are. Of some megabytes that takes
/// minutes, in which a thread of the pool is missing to all other tests.
package func areEqual<Value: Equatable>(_ left: Value, _ right: Value) -> Bool { left == right }
