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
  /// A finding, and the start of the check that made it, in seconds since 1970.
  case finding(Finding, at: Int)
}

/// The properties of a check on which its findings depend.
struct KeptCheck: Equatable, Sendable, Codable {
  /// The target of the check.
  var target: String
  /// The version of the program, since another version may judge differently.
  var version = Linkcheck.version
  var largestPage = Crawl.Settings().largestPage
  var timeoutInSeconds = 10.0
  /// The start of the check, in seconds since 1970.
  var startedAt = 0
  /// The largest age of a usable finding, in seconds.
  var longestAge = 24 * 3600
}
