import Foundation
import MillraceEffects
import MillraceHTTP

@testable import LinkcheckReaders
@testable import linkcheck

/// Answers a crawl's requests from a table, in an order that a seed decides. No store, no network, no time.
struct FakeSite {
  enum Answer {
    case html(String)
    case status(Int)
    case redirect(String)
    case failure(HTTPFailure)
    /// One answer for each attempt, the last for all that follow.
    case sequence([Answer])
    /// `GET` and `HEAD` differ.
    case head(Int, get: Int)
  }

  var answers: [String: Answer]

  /// Answers until nothing is asked for any more, or `isEnough`.
  func crawl(
    _ state: inout Crawl.State, seed: UInt64 = 0, observing observe: (Crawl.State) -> Void = { _ in },
    until isEnough: (Crawl.State) -> Bool = { _ in false }
  ) {
    var random = SplitMix(seed: seed)
    while !isEnough(state), let action = possibleActions(of: state).randomElement(using: &random) {
      Crawl.reduce(&state, action)
      observe(state)
    }
  }

  /// Everything that could happen next, in a fixed order.
  func possibleActions(of state: Crawl.State) -> [Crawl.Action] {
    let exchanges = state.exchanges.sorted { $0.url < $1.url }.map { Crawl.Action.answered(event(for: $0)) }
    let pages = state.pages.sorted { $0.address < $1.address }.map { body in
      Crawl.Action.parsed(body.address, body.page())
    }
    let retries = state.retries.sorted { $0.id < $1.id }.map { timer in
      Crawl.Action.timer(.fired(timer.id, TimerTick(count: 1, due: .zero)))
    }
    return exchanges + pages + retries
  }

  private func event(for request: HTTPRequest) -> HTTPEvent {
    event(for: request, answers[request.url] ?? .status(404))
  }

  private func event(for request: HTTPRequest, _ answer: Answer) -> HTTPEvent {
    var response = HTTPResponse(url: request.url)
    switch answer {
    case .html(let text):
      response.headers = ["Content-Type": "text/html"]
      response.body = Data(text.utf8)
    case .status(let status): response.status = status
    case .redirect(let location): (response.status, response.headers) = (302, ["Location": location])
    case .failure(let failure): return .failed(failure, of: request)
    case .sequence(let answers):
      return event(for: request, answers[min(request.attempt, answers.count) - 1])
    case .head(let head, let get): response.status = request.method == "HEAD" ? head : get
    }
    return .response(response, to: request)
  }
}

/// A random number generator that gives the same numbers for the same seed.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

extension Address: ExpressibleByStringLiteral {
  /// For tests: a literal that is an address.
  public init(stringLiteral text: String) {
    self = Address(text) ?? Address(file: "/no-address/" + text)
  }
}

extension Fragment: ExpressibleByStringLiteral {
  /// For tests: a literal that is the name of a place in a page.
  public init(stringLiteral text: String) { self.init(text) }
}

extension Page {
  /// For tests: a page at an address, by what it says.
  static func html(_ text: String, at address: Address, in scope: Scope? = nil) -> Page {
    read(text, .html, at: address, in: scope)
  }

  static func markdown(_ text: String, at address: Address, in scope: Scope? = nil) -> Page {
    read(text, .markdown, at: address, in: scope)
  }

  private static func read(_ text: String, _ markup: Markup, at address: Address, in scope: Scope?) -> Page {
    let resolver = LinkResolver(scope: scope ?? Scope(site: address))
    return resolver.page(of: markup.document(of: text), markup: markup, size: text.utf8.count, at: address)
  }
}

extension Scope {
  init(folder path: String) { self.init(folder: Array(path.utf8)) }

  init(file path: String) { self.init(file: Array(path.utf8)) }
}

extension FileContent {
  /// A page of Markdown.
  static func markdown(_ text: String, isArticle: Bool = false) -> FileContent {
    .page(.markdown, Markup.markdown.document(of: text, isArticle: isArticle), size: text.utf8.count)
  }
}
