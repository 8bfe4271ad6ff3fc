import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import Millrace
import ServiceLifecycle
import Testing
import Tracing

@testable import adapters

@Suite("Adapters") struct AdapterTests {
  private func desk(diagnostics: StoreDiagnostics = .standardError) -> Store<Desk, DeskAction> {
    Store(initialState: Desk(), options: StoreOptions(diagnostics: diagnostics), reduce: reduceDesk)
  }

  // MARK: Logs

  private func entries(showingValues: Bool) async -> [InMemoryLogHandler.Entry] {
    let handler = InMemoryLogHandler()
    let logger = Logger(label: "desk") { _ in handler }
    let store = desk()
    store.observe(FailureLog(logger, showingValues: showingValues))
    connectDesk(store)
    store.dispatch(.ask("word"))
    store.dispatch(.ask("nowhere"))
    await store.settled()
    return handler.entries
  }

  @Test("a failed run is logged by its effect and the type of its error")
  func failure() async {
    let entries = await entries(showingValues: false)
    #expect(entries.map(\.level) == [.warning])
    #expect(entries.map(\.metadata) == [["effect": "LookUp", "error": "NotFound"]])
  }

  @Test("requests and errors are logged if values are asked for")
  func values() async {
    let metadata = await entries(showingValues: true).map(\.metadata)
    #expect(
      metadata == [["effect": "LookUp", "error": #"NotFound(word: "nowhere")"#, "request": "nowhere"]])
  }

  @Test("a diagnostic is logged by kind and place, with its message only if values are asked for")
  func diagnostics() async throws {
    let handler = InMemoryLogHandler()
    let logger = Logger(label: "desk") { _ in handler }
    for showsValues in [false, true] {
      let store = desk(diagnostics: .logged(by: logger, showingValues: showsValues))
      store.connect(Clashing())
      store.dispatch(.ask("one"))
      store.dispatch(.ask("two"))
      await store.settled()
    }
    #expect(handler.entries.map(\.level) == [.error, .error])
    let (bare, whole) = (try #require(handler.entries.first), try #require(handler.entries.last))
    #expect(bare.metadata["kind"] == "clashingRequests")
    #expect("\(bare.metadata["site"] ?? "")".hasPrefix("AdaptersTests/AdapterTests.swift:"))
    #expect(bare.metadata["message"] == nil)
    #expect("\(whole.metadata["message"] ?? "")".contains(#""two""#))
  }

  /// All requests have one identity.
  private struct Clashing: EffectComponent {
    func requests(in state: Desk) -> Set<String> { state.words }
    func id(of word: String) -> Int { 0 }
    func run(_ word: String, send: Send<DeskAction>) async {}
  }

  // MARK: Metrics

  @Test("actions, ended runs, reductions and the queue are measured, and labels hold no request")
  func metrics() async throws {
    let metrics = TestMetrics()
    let store = desk()
    store.observe(StoreMetrics(factory: metrics))
    connectDesk(store)
    for action in [DeskAction.ask("word"), .ask("nowhere"), .ask("slow"), .drop("slow")] {
      await store.send(action)
    }
    await store.settled()

    // Four from outside, and two of each run of a word: what the look-up sends, and what keeping it does.
    #expect(try metrics.expectCounter("millrace_actions", [("fate", "reduced")]).totalValue == 8)
    #expect(try metrics.expectTimer("millrace_reductions").values.count == 8)
    #expect(try metrics.expectGauge("millrace_queue_depth").values.count == 8)
    let runs = metrics.counters.filter { $0.label == "millrace_runs" }
    let counts = Dictionary(
      uniqueKeysWithValues: runs.map { ($0.dimensions.map(\.1).joined(separator: " "), $0.totalValue) })
    #expect(
      counts == ["LookUp answered": 1, "LookUp failed": 1, "LookUp withdrawn": 1, "Keep answered": 2])
    let labels = metrics.counters.flatMap(\.dimensions).map(\.1)
    #expect(Set(labels).isSubset(of: allowed), "\(labels)")
  }

  private let allowed: Set = [
    "reduced", "fenced", "refused", "LookUp", "Keep", "answered", "failed", "withdrawn",
  ]

  // MARK: Spans

  @Test("a run is a span, linked to the span of the run whose action started it")
  func spans() async throws {
    let tracer = InMemoryTracer()
    let store = desk()
    store.observe(RunSpans(tracer))
    connectDesk(store)
    store.dispatch(.ask("word"))
    await store.settled()
    let lookUp = try #require(tracer.finishedSpans.first { $0.operationName == "LookUp" })
    let keep = try #require(tracer.finishedSpans.first { $0.operationName == "Keep" })
    #expect(lookUp.links.isEmpty)
    #expect(keep.links.map { $0.context.inMemorySpanContext } == [lookUp.spanContext])
    #expect(keep.parentSpanID == nil)
    #expect(lookUp.attributes["millrace.ending"]?.toSpanAttribute() == .string("answered"))
    let times = [lookUp.startInstant, lookUp.endInstant, keep.startInstant, keep.endInstant]
    #expect(times.map(\.nanosecondsSinceEpoch) == times.map(\.nanosecondsSinceEpoch).sorted())
    #expect(tracer.finishedSpans.count == 2 && tracer.activeSpans.isEmpty)
  }

  @Test("a failed run is a span with an error, and what its failure starts is linked to it")
  func failedSpan() async throws {
    let tracer = InMemoryTracer()
    let store = desk()
    store.observe(RunSpans(tracer))
    connectDesk(store)
    store.dispatch(.ask("nowhere"))
    await store.settled()
    let lookUp = try #require(tracer.finishedSpans.first { $0.operationName == "LookUp" })
    let keep = try #require(tracer.finishedSpans.first { $0.operationName == "Keep" })
    #expect(lookUp.status == SpanStatus(code: .error, message: "NotFound"))
    #expect(keep.status == nil)
    #expect(keep.links.map { $0.context.inMemorySpanContext } == [lookUp.spanContext])
    #expect(!"\(tracer.finishedSpans)".contains("nowhere"))
  }

  @Test("of many runs, each has one span, and each span the link of its own")
  func manySpans() async throws {
    let tracer = InMemoryTracer()
    let store = desk()
    store.observe(RunSpans(tracer))
    connectDesk(store)
    for number in 0..<2000 { await store.send(.ask(number.isMultiple(of: 3) ? "no\(number)" : "\(number)")) }
    await store.settled()
    let (lookUps, keeps) = (
      tracer.finishedSpans.filter { $0.operationName == "LookUp" },
      tracer.finishedSpans.filter { $0.operationName == "Keep" }
    )
    #expect(lookUps.count == 2000 && keeps.count == 2000 && tracer.activeSpans.isEmpty)
    let linked = keeps.compactMap { $0.links.first?.context.inMemorySpanContext }
    #expect(Set(linked) == Set(lookUps.map(\.spanContext)))
  }

  // MARK: Services

  @Test("a store runs until its group shuts down, and live runs deliver")
  func service() async throws {
    let store = desk()
    connectDesk(store)
    let group = ServiceGroup(services: [StoreService(store: store)], logger: Logger(label: "desk"))
    let running = Task { try await group.run() }
    await store.send(.ask("word"))
    await group.triggerGracefulShutdown()
    try await running.value
    #expect(store.state == Desk())
    #expect(!store.dispatch(.ask("late")))
  }

  @Test("work that does not return is an error with the names of its connections")
  func uncleanService() async {
    let store = desk()
    connectDesk(store)
    let service = StoreService(store: store, graceful: .zero, hard: .milliseconds(1))
    let group = ServiceGroup(services: [service], logger: Logger(label: "desk"))
    let running = Task { try await group.run() }
    await store.send(.hold("secret"))
    await group.triggerGracefulShutdown()
    do {
      try await running.value
      Issue.record("the group has ended without an error")
    } catch {
      #expect("\(error)" == "not returned by the hard deadline: Stubborn")
    }
  }

  @Test("a group that is cancelled stops the runs of its store at once")
  func cancelledService() async throws {
    let store = desk()
    connectDesk(store)
    let service = StoreService(store: store, graceful: .seconds(3600), hard: nil)
    let running = Task { try await service.run() }
    await store.send(.ask("slow"))
    running.cancel()
    try await running.value
    #expect(store.activity.entries.allSatisfy { $0.work.isEmpty })
  }
}
