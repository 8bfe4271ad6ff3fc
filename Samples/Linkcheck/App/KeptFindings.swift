import LinkcheckReaders

/// The findings of a progress file that a check can reuse.
struct KeptFindings: Equatable, Sendable {
  private(set) var findings: [Address: Finding] = [:]
  /// The number of findings that are too old.
  private(set) var outdated = 0
  /// The number of findings that might differ under the settings of this check.
  private(set) var unfit = 0
  /// The age of the oldest reused finding, in seconds.
  private(set) var age = 0

  init() {}

  /// Selects the entries that a check may reuse.
  init(_ entries: [KeptKey: KeptEntry], for check: KeptCheck) {
    guard case .check(let earlier)? = entries[.check] else { return }
    for (key, entry) in entries {
      guard case .address(let address) = key, case .finding(let finding, let time) = entry else { continue }
      // A clock that was set back must not make findings older.
      let age = max(0, check.startedAt - time)
      if age > check.longestAge {
        outdated += 1
      } else if finding.depends(onMoreThan: earlier, check) {
        unfit += 1
      } else {
        findings[address] = finding
        self.age = max(self.age, age)
      }
    }
  }

  /// A line for people; `nil` if there were no findings.
  var summary: String? {
    guard !findings.isEmpty || outdated + unfit > 0 else { return nil }
    var line = "going on from kept progress: \(findings.count) addresses are known"
    if age >= 60 { line += ", some for \(Age(seconds: age))" }
    if outdated > 0 { line += ", \(outdated) are too old" }
    if unfit > 0 { line += ", \(unfit) were looked at with other settings" }
    return line
  }
}

extension Finding {
  /// Whether this check might find something else than the check that made the finding.
  fileprivate func depends(onMoreThan earlier: KeptCheck, _ check: KeptCheck) -> Bool {
    guard earlier.version == check.version else { return true }
    return switch self {
    case .page(let page): page.size > check.largestPage
    case .oversized(let limit): limit != check.largestPage
    case .trouble(let trouble): trouble.kind == .timeout && earlier.timeoutInSeconds != check.timeoutInSeconds
    case .exists, .redirect, .unreadable: false
    }
  }
}
