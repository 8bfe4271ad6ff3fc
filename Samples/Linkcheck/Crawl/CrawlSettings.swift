import LinkcheckReaders
import MillraceEffects

extension Crawl {
  struct Settings: Equatable, Sendable {
    /// Whether links to other sites are left alone.
    var isOffline = false
    /// How many addresses are looked at at once.
    var jobs = 6
    /// How often an address is tried in all.
    var attempts = 3
    /// The longest that one exchange may take.
    var timeout: Duration = .seconds(10)
    /// The largest page that is read, in bytes.
    var largestPage = 2 << 20
    var backoff = Backoff(first: .milliseconds(200), cap: .seconds(5), jitter: 0)
    /// Origins that are to be reached under another one, as the demo site is.
    var aliases: [String: String] = [:]
  }

  /// One attempt at one address.
  struct Load: Hashable, Sendable {
    var attempt = 1
    var isHead = false
  }

  /// An address whose turn has not come; `load` is its next attempt, if it is not the first.
  struct Waiting: Equatable, Sendable {
    var address: Address
    var load: Load?
  }

  enum Phase: Equatable, Sendable {
    case idle
    /// Looking for the pages in a folder.
    case listing
    case running
    case stopped
    /// There is nothing to crawl, for this reason.
    case failed(String)
  }
}
