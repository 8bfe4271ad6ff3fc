/// Returns an endpoint that fails the test when it is called, and throws an error.
///
/// For endpoints whose result is hard to make, and for tests of how a program handles the error:
///
/// ```swift
/// let client = WeatherClient(
///   forecast: unimplemented("WeatherClient.forecast", throwing: CancellationError()),
///   save: unimplemented("WeatherClient.save"))
/// ```
///
/// - Parameters:
///   - endpoint: the name of the endpoint in the failure.
///   - error: the error that the endpoint throws, evaluated at each call.
public func unimplemented<each Argument, Result, Failure: Error>(
  _ endpoint: String, throwing error: @autoclosure @escaping @Sendable () -> Failure,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> @Sendable (repeat each Argument) throws(Failure) -> Result {
  let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
  let call = UnimplementedCall(endpoint: endpoint, place: place)
  return { (argument: repeat each Argument) throws(Failure) in
    let error = error()
    call.fail(repeat each argument, throwing: error)
    throw error
  }
}

/// Returns an `async` endpoint that fails the test when it is called, and throws an error.
///
/// The endpoint throws after its failure has been recorded. For the rest, see the endpoint that is not `async`.
public func unimplemented<each Argument, Result, Failure: Error>(
  _ endpoint: String, throwing error: @autoclosure @escaping @Sendable () -> Failure,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> @Sendable (repeat each Argument) async throws(Failure) -> Result {
  let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
  let call = UnimplementedCall(endpoint: endpoint, place: place)
  return { (argument: repeat each Argument) async throws(Failure) in
    let error = error()
    call.fail(repeat each argument, throwing: error)
    await FailureReporter.flush()
    throw error
  }
}
