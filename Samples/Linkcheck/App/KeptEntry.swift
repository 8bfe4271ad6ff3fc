import LinkcheckReaders

/// The names of the entries of the progress file.
enum KeptKey: Hashable, Sendable {
  /// The subject of the whole file.
  case check
  case address(Address)
}

/// An entry of the progress file.
enum KeptEntry: Equatable, Sendable, Codable {
  case check(KeptCheck)
  /// A finding, and when the check began that found it, in seconds since 1970.
  case finding(Finding, at: Int)
}

/// A check, as far as its findings depend on it.
struct KeptCheck: Equatable, Sendable, Codable {
  /// The target of the check.
  var target: String
  /// The version of the program, which may judge differently from others.
  var version = Linkcheck.version
  var largestPage = Crawl.Settings().largestPage
  var timeoutInSeconds = 10.0
  /// When it began, in seconds since 1970.
  var startedAt = 0
  /// How old a finding may be, in seconds, to be gone on from.
  var longestAge = 24 * 3600
}
