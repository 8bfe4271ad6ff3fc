import Millrace

/// Calls `work`, which runs the wrapped effect, while another task of the same run waits, such as for a clock or for
/// another value.
///
/// Marks the work as a wait that no test ends. Otherwise a run whose other task waits at a test clock would count as
/// waiting for the test, although its work is in progress. Waits within the work replace this mark.
nonisolated(nonsending) func workBeside<Failure: Error>(
  _ work: () async throws(Failure) -> Void
) async throws(Failure) {
  try await withWaitReason("the effect within", work)
}

extension Result where Success == Void {
  /// Calls `work`, and keeps its error.
  package nonisolated(nonsending) init(_ work: () async throws(Failure) -> Void) async {
    do throws(Failure) {
      try await work()
      self = .success(())
    } catch {
      self = .failure(error)
    }
  }
}
