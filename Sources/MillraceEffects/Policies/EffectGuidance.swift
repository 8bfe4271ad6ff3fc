import Millrace

extension Effect where Failure == any Error {
  /// Refused: an error would be lost.
  @available(
    *, unavailable,
    message: "the closure can throw: add 'failure:', which says what action an error becomes"
  )
  public init(run: @escaping @Sendable (Request, Send<Action>) async throws -> Void) {
    fatalError("a call that the compiler refuses")  // Swift wants a body.
  }
}
