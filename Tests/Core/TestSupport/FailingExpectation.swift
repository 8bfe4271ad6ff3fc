import Testing

/// Executes a printed test of a bug that is still there: fails unless an expectation of `test` fails.
package func failsByExpectation(
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  _ test: () async -> Void
) async {
  await withKnownIssue(sourceLocation: sourceLocation) {
    await test()
  } matching: { issue in
    "\(issue)".contains("Expectation failed")
  }
}
