import Foundation
import LinkcheckReaders
import Millrace
import MillraceEffects
import MillraceHTTP

/// The requests of the crawl: pure functions of its state.
extension Crawl.State {
  /// The wanted exchanges.
  var exchanges: Set<HTTPRequest> {
    Set(loading.lazy.filter { !$0.key.isFile }.map { request(for: $0.key, $0.value) })
  }

  /// The files to be read.
  var files: Set<FileRequest> {
    Set(
      loading.keys.lazy.filter(\.isFile).map { FileRequest(address: $0, largestPage: settings.largestPage) })
  }

  /// The folder to be searched for pages.
  var folder: Address? { phase == .listing ? scope.start : nil }

  /// The pages to be read for links and anchors.
  var pages: Set<Body> { Set(bodies.values) }

  /// The retries that wait for their times.
  var retries: Set<TimerRequest<Address>> {
    Set(delayed.map { TimerRequest($0.key, .after(settings.backoff.delay(before: $0.value.attempt))) })
  }

  func request(for address: Address, _ load: Crawl.Load) -> HTTPRequest {
    HTTPRequest(
      reachable(address), method: load.isHead ? "HEAD" : "GET",
      headers: [
        "user-agent": "linkcheck/\(Linkcheck.version)", "accept": "text/html, text/markdown, */*;q=0.8",
      ],
      timeout: settings.timeout,
      // Redirects of the site itself are findings of the crawl; of redirects of other sites, only the last page counts.
      redirects: scope.isRemote(address) ? .follow(atMost: 10) : .stop,
      largestBody: settings.largestPage, acceptedStatuses: HTTPRequest.anyStatus, attempt: load.attempt)
  }

  private func reachable(_ address: Address) -> String {
    let origin = address.origin
    guard let alias = settings.aliases[String(origin)] else { return address.text }
    return alias + address.text[origin.endIndex...]
  }
}

extension Crawl {
  /// Connects the crawl's effects to its slice of a program.
  static func connect(to store: Store<State, Action>, client: HTTPClient) {
    store.connect(HTTPEffect(client: client), to: \.exchanges, action: Action.answered)
    store.connect(FileReading(), to: \.files, action: { .fileRead($0, $1) })
    store.connect(FolderSearch(), to: \.folder, action: Action.listed)
    store.connect(PageReading(), to: \.pages, action: { .parsed($0, $1) })
    store.connect(TimerEffect(), to: \.retries, action: Action.timer)
  }
}
