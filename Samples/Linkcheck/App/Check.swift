import DemoSite
import Foundation
import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceStorage
import MillraceSystem
import MillraceTrace

/// One check, from its options to the process's exit status.
struct Check {
  /// The origins of the demo site and its neighbour, which do not depend on a port.
  static let demoOrigin = "http://demo.test"
  static let neighbourOrigin = "http://neighbour.test"

  private let options: CheckOptions
  private let target: Target
  private let scope: Scope

  init(_ options: CheckOptions) throws(UsageError) {
    self.options = options
    target = try Target(options.target, kind: { FileKind(at: $0) })
    scope = target.scope(in: FilePath.workingFolder, demoOrigin: Self.demoOrigin)
  }

  func run() async throws -> Int32 {
    let progress = try ProgressFile(options.progress, of: scope.start)
    let demo = try target == .demo ? startDemo() : nil
    defer { demo?.stop() }

    let store = Store(initialState: state(demo: demo, progress: progress), reduce: App.reduce)
    try record(store)
    let view = TerminalProgressView(prefix: "linkcheck: ")
    App.connect(
      to: store, client: HTTPClient(connectionsPerHost: options.jobs), storage: progress?.storage,
      view: view)
    var outcome: App.Outcome?
    for await next in store.values(of: \.outcome) where next != nil {
      outcome = next
      break
    }
    await store.shutdown()
    await view.finish()
    let end = store.state

    switch outcome {
    case .stopped(let signal):
      let isKept = end.checkpoints.isKeeping && !end.checkpoints.isLosing
      let place = progress.map { isKept ? "; progress is kept in \($0.path)" : "" } ?? ""
      tell("stopped: \(end.counts.line)\(place)")
      return signal.exitStatus
    case .failed(let message):
      // The stored findings are irrelevant for the next check.
      await discard(progress, end)
      throw UsageError(message)
    case nil:
      throw UsageError("the check ended before it was over")
    case .finished:
      let status = try report(on: end, demo: demo)
      await discard(progress, end)
      return end.checkpoints.isNamed && end.checkpoints.isLosing ? 2 : status
    }
  }

  /// Removes the progress file, if this check owns it. Another check may be using the file, and a file of another
  /// program or of a newer version is left alone.
  private func discard(_ progress: ProgressFile?, _ end: App.State) async {
    guard let progress, end.checkpoints.isKeeping else { return }
    do throws(StorageFailure) {
      try await progress.storage.remove()
    } catch {
      tell("the progress file could not be removed: \(error.words)")
    }
  }

  private func startDemo() throws -> DemoServer {
    try DemoServer(neighbour: Self.neighbourOrigin, delayInMilliseconds: options.demoDelayInMilliseconds)
  }

  private func record(_ store: Store<App.State, App.Action>) throws {
    do throws(TraceFailure) {
      if let path = options.trace {
        try store.record(to: .file(path), redacting: [Password.redaction], build: Linkcheck.version)
      } else {
        try store.recordIfAsked(redacting: [Password.redaction], build: Linkcheck.version)
      }
    } catch { throw UsageError(error.description) }
  }

  /// The checked site or folder, for people.
  private func subject(demo: DemoServer?) -> String {
    switch target {
    case .demo: "the demo site, which is at \(demo?.origin ?? "") and known as \(Self.demoOrigin)"
    case .site(let address): address.text
    case .folder(let path): "the pages in \(path)"
    case .file(let path): "the page \(path)"
    }
  }

  private func state(demo: DemoServer?, progress: ProgressFile?) -> App.State {
    var settings = Crawl.Settings()
    settings.isOffline = options.isOffline
    settings.jobs = options.jobs
    settings.timeout = .seconds(options.timeoutInSeconds)
    settings.largestPage = options.largestPage
    if let demo { settings.aliases = [Self.demoOrigin: demo.origin, Self.neighbourOrigin: demo.origin] }
    let place = progress.map { Checkpoints.Place.file($0.path, isNamed: $0.isNamed) } ?? .nowhere
    let check = KeptCheck(
      target: scope.start.text, largestPage: options.largestPage, timeoutInSeconds: options.timeoutInSeconds,
      startedAt: Int(Date().timeIntervalSince1970), longestAge: options.longestAgeInHours * 3600)
    return App.State(
      crawl: Crawl.State(scope: scope, settings: settings),
      checkpoints: Checkpoints.State(check: check, place: place, startsOver: options.startsOver),
      stop: Stop.stateAtStart, subject: subject(demo: demo))
  }

  /// Writes the report and returns the exit status.
  private func report(on end: App.State, demo: DemoServer?) throws -> Int32 {
    let name = options.target ?? scope.start.text
    let report = Report(
      of: end.crawl, target: name, name: AddressNames(target: name, scope: scope).callAsFunction)
    try TerminalOutput.standardOutput.write(options.isJSON ? report.json : report.text)
    guard let demo else { return report.broken.isEmpty ? 0 : 1 }
    let check = DemoCheck(
      report, seeded: demo.site.brokenLinks, origin: Self.demoOrigin, isOffline: options.isOffline)
    tell("demo: the site was asked \(demo.requestCounts.values.reduce(0, +)) times")
    tell(check.summary)
    return check.isPassed ? 0 : 1
  }

  private func tell(_ line: String) {
    try? TerminalOutput.standardError.write("linkcheck: \(OneLine.text(line))\n")
  }
}
