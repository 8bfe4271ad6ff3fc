import Millrace
import MillraceSpelling

extension Store {
  /// Returns why a request is not being served at this moment. The text says which connected effects could ask for the
  /// request and whether they do, whether it has finished, and what its run waits for. It also names the lifetimes
  /// without a part, through which nothing is connected.
  ///
  /// ```swift
  /// print(store.whyNot(SearchRequest(query: "swift")))
  /// // SearchRequest(query: "swift") is not being served
  /// //   SearchEffect on \App.search at App/Main.swift:12 does not ask for it
  /// //   it asks for SearchRequest(query: "swif")
  /// ```
  ///
  /// Looks only at the present. ``TraceQuestions/whyNot(_:at:)`` says from a recording when the state last asked for
  /// the request, and which action ended that. For people; costs time in proportion to the number of connections and
  /// runs.
  ///
  /// - Parameter request: a request of the effect's type.
  public func whyNot(_ request: some Hashable & Sendable) -> String {
    let (moments, absent) = moment(of: request)
    let effects = moments.map { RequestStanding($0, to: request) }
    let waits = Dictionary(
      activity.entries.flatMap(\.work).compactMap { work in work.generation.map { ($0, work.waitsFor) } }
    ) { $1 }
    var lines: [String] = []
    // Effects of like parts, such as rows, share one line: thousands of them may not ask for the request.
    let alike = Dictionary(grouping: effects.filter(\.isIdle), by: \.name)
    var reported: Set<String> = []
    for effect in effects {
      if effect.isIdle, let others = alike[effect.name], others.count > 1 {
        if reported.insert(effect.name).inserted { lines += RequestStanding.lines(ofAlike: others) }
      } else {
        lines += effect.lines(waits)
      }
    }
    let type = Spelling.name(of: type(of: request))
    if effects.isEmpty { lines.append("no effect that is connected has requests of the type \(type)") }
    if !effects.contains(where: \.isAsked) {
      lines += absent.map { connection, slice in
        "nothing is connected through \(connection.name) on \(slice) at \(connection.site): "
          + "its part of the state is not there"
      }
    }
    let isServed = effects.contains(where: \.isServed)
    let head = Spelling.text(of: request) + (isServed ? " is being served" : " is not being served")
    return ([head] + lines.map { "  \($0)" }).joined(separator: "\n")
  }
}

/// The relation of an effect to a request.
private struct RequestStanding {
  let moment: RequestMoment
  /// The run that serves the request. It may wait for the run before it.
  let run: WitnessedMoment.LiveRun?
  /// A stopped run of the request that has not returned.
  let stopping: UInt64?
  /// The other runs with the identity of the request.
  let rivals: [WitnessedMoment.LiveRun]

  init(_ moment: RequestMoment, to request: some Hashable & Sendable) {
    self.moment = moment
    let serving = moment.runs.filter { AnyHashable($0.request) == AnyHashable(request) }
    run = serving.first { !$0.isStopping }
    stopping = serving.first(where: \.isStopping)?.identity.generation
    rivals = moment.runs.filter { moment.rivals.contains($0.identity.generation) }
  }

  var isServed: Bool { run.map { !$0.isBehind } ?? false }

  var isAsked: Bool { run != nil || moment.isAsked }

  /// Whether the effect does not ask for the request, and no run of the request is left.
  var isIdle: Bool { !isAsked && stopping == nil }

  var name: String { "\(moment.connection.name) at \(moment.connection.site)" }

  /// The answer for several idle effects of one name that were connected at one place.
  static func lines(ofAlike effects: [RequestStanding]) -> [String] {
    let asked = effects.flatMap(\.moment.others)
    return [
      "none of \(effects.count) \(effects[0].name) asks for it",
      asked.isEmpty ? "they ask for nothing" : "they ask for \(list(of: asked))",
    ]
  }

  /// The first five of some requests, in words, and the number of the others.
  private static func list(of requests: [any Hashable & Sendable]) -> String {
    let texts = requests.map { Spelling.text(of: $0) }.sorted()
    let more = texts.count > 5 ? " and \(texts.count - 5) more" : ""
    return texts.prefix(5).joined(separator: ", ") + more
  }

  func lines(_ waits: [UInt64: [String]]) -> [String] {
    let effect = "\(moment.connection.name) on \(moment.slice) at \(moment.connection.site)"
    var lines: [String] = []
    if let run {
      let start = run.startedBy.map { "started by action \($0)" } ?? "started as the effect was connected"
      let cause = run.newest == nil ? ", \(start)" : ", to which it was handed over: the run was \(start)"
      lines.append("\(effect) serves it by run #\(run.identity.generation)\(cause)")
      if run.isBehind {
        let before = rivals.first(where: \.isStopping).map { " #\($0.identity.generation)" } ?? ""
        lines.append("the run waits until the stopped run\(before) of the same identity has returned")
      } else {
        lines += (waits[run.identity.generation] ?? []).map { "the run waits for \($0)" }
      }
    } else if !moment.isAsked {
      lines.append("\(effect) does not ask for it")
      lines.append(
        moment.others.isEmpty ? "it asks for nothing" : "it asks for \(Self.list(of: moment.others))")
    } else if moment.isFinished {
      lines.append(
        "\(effect) has served it: a finished request is not run again while the state asks for it")
    } else if let rival = rivals.first(where: { !$0.isStopping }) {
      lines.append(
        "\(effect) asks for it, and goes on with \(Spelling.text(of: rival.request)) of the same identity, "
          + "run #\(rival.identity.generation)")
    } else {
      lines.append("\(effect) asks for it, and the store starts nothing more: it is shutting down")
    }
    if let stopping { lines.append("its run #\(stopping) was stopped, and has not returned") }
    return lines
  }
}
