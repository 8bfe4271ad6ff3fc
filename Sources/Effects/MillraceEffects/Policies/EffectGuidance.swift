import Millrace

extension Effect where Failure == any Error {
  /// Unavailable: an error would be lost. Never called.
  @available(
    *, unavailable,
    message: "the closure can throw: add 'failure:', which says what action an error becomes"
  )
  public init(run: @escaping @Sendable (Request, Send<Action>) async throws -> Void) {
    preconditionFailure("what the compiler refuses")
  }
}
