/// Returns an endpoint that fails the test when it is called, and then returns a placeholder.
///
/// A client of the outside world is a struct of closures. A test implements the endpoints that it needs. A call of any
/// other endpoint is a failure with the endpoint's name, at the line of `unimplemented`:
///
/// ```swift
/// struct WeatherClient: Sendable {
///   var forecast: @Sendable (_ city: String) async throws -> String
///   var save: @Sendable (_ forecast: String) -> Void
/// }
///
/// extension WeatherClient {
///   static var unimplemented: WeatherClient {
///     WeatherClient(
///       forecast: MillraceTestStore.unimplemented("WeatherClient.forecast", placeholder: ""),
///       save: MillraceTestStore.unimplemented("WeatherClient.save"))
///   }
/// }
/// ```
///
/// ```swift
/// var client = WeatherClient.unimplemented
/// client.forecast = { city in "rain in \(city)" }
/// ```
///
/// The endpoint can take any number of arguments, and be `async`, `throws` or neither. It can be called from any task
/// or thread, also from a store's run: the failure belongs to the test in which `unimplemented` was called. So make the
/// client in each test, by a computed property as above: a `static let` belongs to the test that uses it first.
///
/// An `async` endpoint returns after its failure has been recorded. If any other endpoint is called in a detached task,
/// its failure is recorded soon after; if the test has ended by then, the run fails, but not the test.
///
/// - Parameters:
///   - endpoint: the name of the endpoint in the failure.
///   - placeholder: the result of the endpoint, evaluated at each call. Not needed for endpoints that return nothing.
public func unimplemented<each Argument, Result>(
  _ endpoint: String, placeholder: @autoclosure @escaping @Sendable () -> Result = (),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> @Sendable (repeat each Argument) -> Result {
  let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
  let call = UnimplementedCall(endpoint: endpoint, place: place)
  return { (argument: repeat each Argument) in
    let result = placeholder()
    call.fail(repeat each argument, returning: result)
    return result
  }
}

/// Returns an `async` endpoint that fails the test when it is called, and then returns a placeholder.
///
/// The endpoint returns after its failure has been recorded. For the rest, see the endpoint that is not `async`.
public func unimplemented<each Argument, Result>(
  _ endpoint: String, placeholder: @autoclosure @escaping @Sendable () -> Result = (),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> @Sendable (repeat each Argument) async -> Result {
  let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
  let call = UnimplementedCall(endpoint: endpoint, place: place)
  return { (argument: repeat each Argument) in
    let result = placeholder()
    call.fail(repeat each argument, returning: result)
    await FailureReporter.flush()
    return result
  }
}
