import Millrace
import MillraceSpelling

extension Store {
  /// Why a request is not being served at this moment: which connected effects could ask for it and whether they do, whether
  /// it has finished, what its run waits for, and which lifetimes have no part, so that nothing is connected through them.
  ///
  /// ```swift
  /// print(store.whyNot(SearchRequest(query: "swift")))
  /// // SearchRequest(query: "swift") is not being served
  /// //   SearchEffect on \App.search at App/Main.swift:12 does not ask for it
  /// //   it asks for SearchRequest(query: "swif")
  /// ```
  ///
  /// Looks at the present only. ``TraceQuestions/whyNot(_:at:)`` tells from a recording when it was last asked for, and which
  /// action ended that. Meant for people; costs time in proportion to the number of connections and runs.
  ///
  /// - Parameter request: a request of the type that the effect has.
  public func whyNot(_ request: some Hashable & Sendable) -> String {
    let (effects, lifetimes) = standings(to: request)
    let waits = Dictionary(
      activity.entries.flatMap(\.work).compactMap { work in work.generation.map { ($0, work.waitsFor) } }
    ) { $1 }
    var lines: [String] = []
    var isServed = false
    // Effects of like parts, such as rows, are told in one line: there may be thousands that do not ask for it.
    let alike = Dictionary(grouping: effects.filter(\.isIdle), by: \.name)
    var told: Set<String> = []
    for effect in effects {
      if case .served(_, _, isBehind: false, _) = effect.answer { isServed = true }
      if effect.isIdle, let others = alike[effect.name], others.count > 1 {
        if told.insert(effect.name).inserted { lines += RequestStanding.lines(ofAlike: others) }
      } else {
        lines += effect.lines(waits)
      }
    }
    let type = Spelling.name(of: type(of: request))
    if effects.isEmpty { lines.append("no effect that is connected has requests of the type \(type)") }
    if !effects.contains(where: \.isAsked) {
      lines += lifetimes.filter { $0.partCount == 0 }.map { lifetime in
        "nothing is connected through \(lifetime.connection.name) on \(lifetime.slice) at \(lifetime.connection.site): "
          + "its part of the state is not there"
      }
    }
    let head = Spelling.text(of: request) + (isServed ? " is being served" : " is not being served")
    return ([head] + lines.map { "  \($0)" }).joined(separator: "\n")
  }
}

extension RequestStanding {
  fileprivate var isAsked: Bool { if case .notAsked = answer { false } else { true } }

  /// Whether it does not ask for the request, and no run of the request is left.
  fileprivate var isIdle: Bool { !isAsked && stopping == nil }

  fileprivate var name: String { "\(connection.name) at \(connection.site)" }

  /// The answer of several idle effects of one name that were connected at one place.
  fileprivate static func lines(ofAlike effects: [RequestStanding]) -> [String] {
    let asked = effects.flatMap(\.others)
    return [
      "none of \(effects.count) \(effects[0].name) asks for it",
      asked.isEmpty ? "they ask for nothing" : "they ask for \(list(of: asked))",
    ]
  }

  /// The first five of some requests, in words, and how many more there are.
  private static func list(of requests: [any Hashable & Sendable]) -> String {
    let texts = requests.map { Spelling.text(of: $0) }.sorted()
    let more = texts.count > 5 ? " and \(texts.count - 5) more" : ""
    return texts.prefix(5).joined(separator: ", ") + more
  }

  fileprivate func lines(_ waits: [UInt64: [String]]) -> [String] {
    let effect = "\(connection.name) on \(slice) at \(connection.site)"
    var lines: [String] = []
    switch answer {
    case .served(let run, let startedBy, let isBehind, let before):
      let cause = startedBy.map { ", started by action \($0)" } ?? ", started as the effect was connected"
      lines.append("\(effect) serves it by run #\(run)\(cause)")
      if isBehind {
        let stopped = "the stopped run\(before.map { " #\($0)" } ?? "") of the same identity"
        lines.append("the run waits until \(stopped) has returned")
      } else {
        lines += (waits[run] ?? []).map { "the run waits for \($0)" }
      }
    case .finished:
      lines.append(
        "\(effect) has served it: a finished request is not run again while the state asks for it")
    case .replaced(let other, let run):
      lines.append(
        "\(effect) asks for it, and goes on with \(Spelling.text(of: other)) of the same identity, run #\(run)"
      )
    case .closing:
      lines.append("\(effect) asks for it, and the store starts nothing more: it is shutting down")
    case .notAsked:
      lines.append("\(effect) does not ask for it")
      lines.append(others.isEmpty ? "it asks for nothing" : "it asks for \(Self.list(of: others))")
    }
    if let stopping { lines.append("its run #\(stopping) was stopped, and has not returned") }
    return lines
  }
}
