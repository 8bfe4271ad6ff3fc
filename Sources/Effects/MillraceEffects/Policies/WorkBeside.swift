import Millrace

/// Calls `work`, a run of the effect within in one task of a run, while another task of the run waits, such as for a
/// clock or for another value.
///
/// The run then does not look as if it only waited: a test store waits for work that does not say what it waits for. What
/// the work itself waits for counts in place of this wait.
nonisolated(nonsending) func workBeside<Failure: Error>(
  _ work: () async throws(Failure) -> Void
) async throws(Failure) {
  try await withWaitReason("the effect within", work)
}
