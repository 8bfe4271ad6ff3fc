import LinkcheckReaders
import MillraceEffects

extension Crawl {
  struct Settings: Equatable, Sendable {
    /// Whether links to other sites are skipped.
    var isOffline = false
    /// The number of addresses that are checked at the same time.
    var jobs = 6
    /// The largest number of attempts for an address.
    var attempts = 3
    /// The time limit of one exchange.
    var timeout: Duration = .seconds(10)
    /// The size of the largest page that is read, in bytes.
    var largestPage = 2 << 20
    var backoff = Backoff(first: .milliseconds(200), cap: .seconds(5), jitter: 0)
    /// Origins that are reached under another origin, such as that of the demo site.
    var aliases: [String: String] = [:]
  }

  /// One attempt at one address.
  struct Load: Hashable, Sendable {
    var attempt = 1
    var isHead = false
  }

  /// A waiting address; `load` is its next attempt, if that is not the first.
  struct Waiting: Equatable, Sendable {
    var address: Address
    var load: Load?
  }

  enum Phase: Equatable, Sendable {
    case idle
    /// The crawl is searching a folder for pages.
    case listing
    case running
    case stopped
    /// There is nothing to crawl, for this reason.
    case failed(String)
  }
}
