import MillraceSpelling

/// The changes of an effect's runs that a store makes when the state changes. Pure; compare it, or print it to read it.
///
/// ```swift
/// let plan = effect.plan(from: Search.State(query: "s"), to: Search.State(query: "swift"))
/// #expect(plan == RequestPlan(starts: ["swift"], stops: ["s"]))
/// ```
///
/// Each request is in one of the sets. Its description has one line for each:
///
///     stops "s"
///     starts "swift"
public struct RequestPlan<Request: Hashable & Sendable>: Hashable, Sendable {
  /// A request and the one that replaces it under the same identity.
  public struct Replacement: Hashable, Sendable {
    /// The request before.
    public var old: Request
    /// The request after.
    public var new: Request

    /// Makes a replacement.
    public init(of old: Request, by new: Request) { (self.old, self.new) = (old, new) }
  }

  /// Requests that begin.
  public var starts: Set<Request>
  /// Requests whose runs continue.
  public var stays: Set<Request>
  /// Requests whose runs are stopped, and begin anew with another value once they have returned.
  public var restarts: Set<Replacement>
  /// Requests whose runs continue and get another value.
  public var handsOver: Set<Replacement>
  /// Requests whose new value is ignored.
  public var ignores: Set<Replacement>
  /// Requests whose runs are stopped.
  public var stops: Set<Request>
  /// Requests that share their identity with another one of the same state. A store reports such a mistake, and serves
  /// one of the requests.
  public var clashes: Set<Request>

  /// Makes a plan to compare with. Omitted sets are empty.
  public init(
    starts: Set<Request> = [], stays: Set<Request> = [], restarts: Set<Replacement> = [],
    handsOver: Set<Replacement> = [], ignores: Set<Replacement> = [], stops: Set<Request> = [],
    clashes: Set<Request> = []
  ) {
    (self.starts, self.stays, self.restarts, self.handsOver) = (starts, stays, restarts, handsOver)
    (self.ignores, self.stops, self.clashes) = (ignores, stops, clashes)
  }
}

extension RequestPlan: CustomStringConvertible {
  /// One line for each request, those of each kind in alphabetical order; `nothing is asked for` if there is none.
  public var description: String {
    let lines: [[String]] = [
      clashes.map { "clashes \(Spelling.text(of: $0))" }, stops.map { "stops \(Spelling.text(of: $0))" },
      restarts.map { "restarts \($0.words("as"))" }, handsOver.map { "hands over \($0.words("to"))" },
      ignores.map { "ignores \($0.words("becoming"))" }, stays.map { "stays \(Spelling.text(of: $0))" },
      starts.map { "starts \(Spelling.text(of: $0))" },
    ]
    let text = lines.flatMap { $0.sorted() }.joined(separator: "\n")
    return text.isEmpty ? "nothing is asked for" : text
  }
}

extension RequestPlan.Replacement {
  fileprivate func words(_ link: String) -> String {
    "\(Spelling.text(of: old)) \(link) \(Spelling.text(of: new))"
  }
}
