@preconcurrency import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#elseif canImport(Android)
@preconcurrency import Android
#elseif canImport(WASILibc)
@preconcurrency import WASILibc
#endif

/// Measures the runtime against physical baselines in the same run: `swift run -c release benchmarks --help`.
///
/// Exit codes: 0 if everything was delivered, 1 if a benchmark did not deliver what it sent, 2 for an invalid command
/// line.
@main
struct Benchmarks {
  static let cases: [BenchmarkCase] =
    Baselines.cases + Throughput.cases + RoundTrip.cases + FanOut.cases + Notify.cases + LargeArray.cases
    + Keyed.cases + Holds.cases + Modules.cases + Depth.cases + Churn.cases + Memory.cases + Flood.cases
    + Shapes.cases + Threads.cases + Growth.cases + Scaling.cases + ReadingRecordings.cases
    + Exploring.cases
    + ExploringSamples.cases + Recordings.cases + Observing.cases + Idle.cases + Feed.cases + Ending.cases
    + Propagation.cases

  static let comparisons: [Comparison] = LargeArray.comparisons + Keyed.comparisons

  // Not async: the main thread serves the main actor in a run loop. Ending itself in `dispatch_main` would crash
  // valgrind.
  static func main() {
    setvbuf(stdout, nil, _IOLBF, 0)  // a row is seen when it is complete, also through a pipe
    Task.detached {
      await run()
      exit(0)
    }
    while true { RunLoop.main.run(until: .distantFuture) }
  }

  private static func run() async {
    do {
      let invocation = try Invocation(Array(CommandLine.arguments.dropFirst()))
      try await run(invocation)
    } catch let error as UsageError {
      fail("\(error)\n\n\(Invocation.usage)", code: 2)
    } catch {
      fail("not delivered: \(error)", code: 1)
    }
  }

  private static func run(_ invocation: Invocation) async throws {
    let runner = Runner(cases: cases, comparisons: comparisons, invocation: invocation)
    if invocation.mode == .help { return print(Invocation.usage) }
    if runner.selection.isEmpty {
      throw UsageError(description: "no benchmark's name begins with '\(invocation.prefix)'; see --list")
    }
    if invocation.mode == .list {
      for (name, unit) in runner.selection { print("\(name)\t\(unit)") }
      return
    }
    warnOfDebugBuild()
    let report = Report(isJSON: invocation.isJSON)
    report.header()
    try await runner.run(report.write)
  }

  private static func warnOfDebugBuild() {
    assert(
      {
        complain("built without optimisation, so the figures mean nothing: use swift run -c release")
        return true
      }())
  }

  private static func complain(_ message: String) {
    fputs("benchmarks: \(message)\n", stderr)
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    complain(message)
    exit(code)
  }
}
