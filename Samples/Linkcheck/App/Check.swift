import DemoSite
import Foundation
import Millrace
import MillraceEffects

/// One check, from its options to the process's exit status.
struct Check {
  /// The names under which the demo site and its neighbour are known, whatever port they have.
  static let demoOrigin = "http://demo.test"
  static let neighbourOrigin = "http://neighbour.test"

  private let options: CheckOptions
  private let target: Target
  private let scope: Scope

  init(_ options: CheckOptions) throws(UsageError) {
    self.options = options
    target = try Target(options.target, kind: { FileKind(at: $0) })
    scope = target.scope(in: FileManager.default.currentDirectoryPath, demoOrigin: Self.demoOrigin)
  }

  func run() async throws -> Int32 {
    let progress = try ProgressFile(options.progress, target: scope.start.text)
    let demo = try target == .demo ? startDemo() : nil
    defer { demo?.stop() }

    let store = Store(initialState: state(demo: demo, progress: progress), reduce: App.reduce)
    let view = ProgressView(prefix: "linkcheck: ")
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
      let kept = progress.map { end.checkpoints.isLosing ? "" : "; progress is kept in \($0.path)" } ?? ""
      tell("stopped: \(end.counts.line)\(kept)")
      return signal.exitStatus
    case .failed(let message):
      // What was kept says nothing about what there will be next time.
      if end.checkpoints.refusal == nil { await progress?.discard() }
      throw UsageError(message)
    case nil:
      throw UsageError("the check ended before it was over")
    case .finished:
      let status = try report(on: end, demo: demo)
      await progress?.discard()
      return end.checkpoints.isNamed && end.checkpoints.isLosing ? 2 : status
    }
  }

  private func startDemo() throws -> DemoServer {
    let server = try DemoServer(
      neighbour: Self.neighbourOrigin, delayInMilliseconds: options.demoDelayInMilliseconds)
    tell("the demo site is at \(server.origin), known as \(Self.demoOrigin)")
    return server
  }

  private func state(demo: DemoServer?, progress: ProgressFile?) -> App.State {
    var settings = Crawl.Settings()
    settings.isOffline = options.isOffline
    settings.jobs = options.jobs
    settings.timeout = .seconds(options.timeoutInSeconds)
    settings.largestPage = options.largestPage
    if let demo { settings.aliases = [Self.demoOrigin: demo.origin, Self.neighbourOrigin: demo.origin] }
    let place = progress.map { Checkpoints.Place.file($0.path, isNamed: $0.isNamed) } ?? .nowhere
    return App.State(
      crawl: Crawl.State(scope: scope, settings: settings),
      checkpoints: Checkpoints.State(
        target: scope.start.text, place: place, startsOver: options.startsOver),
      stop: Stop.stateAtStart)
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

  private func tell(_ line: String) { try? TerminalOutput.standardError.write("linkcheck: \(line)\n") }
}
