import Millrace
import MillraceFaults
import MillraceTestStore
import Testing

/// Bugs planted in small features, which a fault matrix finds, and the mended features, which are clean.
@Suite("Planted bugs: faults") struct PlantedFaultTests {
  struct Offline: Error, Equatable {}

  // MARK: Pages

  enum Pages {
    struct State: Equatable, Sendable {
      var loading: Int?
      var pages: [Int] = []
      var isBusy = false
    }

    enum Action: Equatable, Sendable {
      case next
      case arrived(Int)
      case failed(Int)
    }

    struct Page: Hashable, Sendable { let number: Int }

    struct Load: EffectComponent {
      func requests(in state: State) -> Set<Page> { state.loading.map { [Page(number: $0)] } ?? [] }
      func run(_ page: Page, send: Send<Action>) async throws(Offline) {}
      func action(for failure: Offline, of page: Page) -> Action { .failed(page.number) }
    }

    /// - Parameter forgotten: the failure of this page leaves the spinner turning.
    static func report(forgotten: Int?) async -> FaultReport {
      await FaultMatrix<State, Action>(
        initialState: State(),
        reduce: { state, action in
          switch action {
          case .next: (state.loading, state.isBusy) = (state.pages.count + 1, true)
          case .arrived(let page):
            state.pages.append(page)
            (state.loading, state.isBusy) = (nil, false)
          case .failed(let page):
            state.loading = nil
            if page != forgotten { state.isBusy = false }
          }
        },
        connect: { $0.connect(Load(), named: "load") }
      )
      .failures(of: Page.self) { _ in Offline() }
      .invariant("busy while loading") { $0.isBusy == ($0.loading != nil) }
      .run { store in
        store.exhaustivity = .requests
        for page in 1...3 {
          store.send(.next)
          store.answer(Page(number: page), with: .arrived(page))
        }
        await store.finish()
      }
    }
  }

  @Test("1: the failure of the last page alone leaves the spinner turning") func lastPage() async {
    let mended = await Pages.report(forgotten: nil)
    #expect(mended.isClean, "\(mended)")
    let report = await Pages.report(forgotten: 3)
    #expect(!report.isClean)
    #expect(
      report.breaks.map(\.description) == [
        """
          "busy while loading" is broken when load Page(number: 3) fails:
            1. .next
            2. .arrived(1) from load Page(number: 1)
            3. .next
            4. .arrived(2) from load Page(number: 2)
            5. .next
            6. load Page(number: 3) fails with Offline()
            7. .failed(3) from load Page(number: 3)
        """
      ])
  }

  // MARK: A download in parts

  enum Download {
    enum Bug { case keepsHalf, showsHalf, countsTwice }

    struct State: Equatable, Sendable {
      var isAsked = false
      var parts: [Int] = []
      var isShown = false
      var hasFailed = false
    }

    enum Action: Equatable, Sendable {
      case asked
      case part(Int)
      case ended
      case failed
    }

    struct File: Hashable, Sendable {}

    struct Load: EffectComponent {
      func requests(in state: State) -> Set<File> { state.isAsked ? [File()] : [] }
      func run(_ file: File, send: Send<Action>) async throws(Offline) {}
      func action(for failure: Offline, of file: File) -> Action { .failed }
    }

    static func report(
      _ bug: Bug?, _ matrix: (FaultMatrix<State, Action>) -> FaultMatrix<State, Action>
    ) async -> FaultReport {
      let all = FaultMatrix<State, Action>(
        initialState: State(),
        reduce: { state, action in
          switch action {
          case .asked: state.isAsked = true
          case .part(let part):
            if bug == .countsTwice || !state.parts.contains(part) { state.parts.append(part) }
            if bug == .showsHalf { state.isShown = true }
          case .ended: (state.isAsked, state.isShown) = (false, true)
          case .failed:
            (state.isAsked, state.hasFailed) = (false, true)
            if bug != .keepsHalf { state.parts = [] }
          }
        },
        connect: { $0.connect(Load(), named: "load") }
      )
      .failures(of: File.self) { _ in Offline() }
      return await matrix(all).run { store in
        store.exhaustivity = .requests
        store.send(.asked)
        store.send(.part(1), from: File())
        store.answer(File(), with: .part(2), .ended)
        await store.finish()
      }
    }
  }

  @Test("2: what arrived before a failure halfway is kept") func halfway() async {
    func report(_ bug: Download.Bug?) async -> FaultReport {
      await Download.report(bug) { $0.invariant("all or nothing") { !$0.hasFailed || $0.parts.isEmpty } }
    }
    let mended = await report(nil)
    #expect(mended.isClean, "\(mended)")
    // Four faults of the whole request, and two after each of the two actions after which the run goes on.
    #expect(mended.reruns == 8)
    let breaks = await report(.keepsHalf).breaks
    #expect(
      breaks.map(\.faults) == [
        ["load (PlantedFaultTests.Download.File) fails after 1 action"],
        ["load (PlantedFaultTests.Download.File) fails after 2 actions"],
      ])
    #expect(
      breaks.first?.story == [
        ".asked", ".part(1) from load File()", "load File() fails with Offline()", ".failed from load File()",
      ])
  }

  @Test("3: a download that falls silent halfway is shown as if it were whole") func silent() async {
    func report(_ bug: Download.Bug?) async -> FaultReport {
      await Download.report(bug) { $0.finally("only a whole file is shown") { !$0.isShown || !$0.isAsked } }
    }
    let mended = await report(nil)
    #expect(mended.isClean, "\(mended)")
    let breaks = await report(.showsHalf).breaks
    #expect(
      breaks.map(\.faults) == [
        ["load (PlantedFaultTests.Download.File) falls silent after 1 action"],
        ["load (PlantedFaultTests.Download.File) falls silent after 2 actions"],
      ])
    #expect(
      breaks.first?.story == [
        ".asked", ".part(1) from load File()", "load File() falls silent after 1 action",
      ])
    #expect(
      breaks.last?.story == [
        ".asked", ".part(1) from load File()", ".part(2) from load File()",
        "load File() falls silent after 2 actions",
      ])
  }

  @Test("4: a part that is delivered twice is counted twice") func twice() async {
    func report(_ bug: Download.Bug?) async -> FaultReport {
      await Download.report(bug) { $0.invariant("each part once") { Set($0.parts).count == $0.parts.count } }
    }
    let mended = await report(nil)
    #expect(mended.isClean, "\(mended)")
    let breaks = await report(.countsTwice).breaks
    #expect(breaks.map(\.faults) == [["load (PlantedFaultTests.Download.File) answers twice"]])
    #expect(
      breaks.first?.story == [
        ".asked", "load File() answers twice", ".part(1) from load File()", ".part(1) from load File()",
      ])
  }

  // MARK: Two sources

  enum Sources {
    struct State: Equatable, Sendable {
      var cache: Bool?
      var network: Bool?
      var isBusy: Bool { cache == nil || network == nil }
      var says = "busy"
    }

    enum Action: Equatable, Sendable {
      case cache(Bool)
      case network(Bool)
    }

    struct Load: EffectComponent {
      let isCache: Bool
      func requests(in state: State) -> Set<String> {
        (isCache ? state.cache : state.network) == nil ? [isCache ? "cache" : "network"] : []
      }
      func run(_ request: String, send: Send<Action>) async throws(Offline) {}
      func action(for failure: Offline, of request: String) -> Action {
        isCache ? .cache(false) : .network(false)
      }
    }

    static func report(forgetsBoth: Bool) async -> FaultReport {
      await FaultMatrix<State, Action>(
        initialState: State(),
        reduce: { state, action in
          switch action {
          case .cache(let isFound): state.cache = isFound
          case .network(let isFound): state.network = isFound
          }
          if state.cache == true || state.network == true { state.says = "found" }
          if state.cache == false, state.network == false, !forgetsBoth { state.says = "not found" }
        },
        connect: { store in
          store.connect(Load(isCache: true), named: "cache")
          store.connect(Load(isCache: false), named: "network")
        }
      )
      .failures(of: String.self) { _ in Offline() }
      .finally("it says what it has") { $0.isBusy || $0.says != "busy" }
      .run { store in
        store.exhaustivity = .requests
        store.answer("cache", with: .cache(true))
        store.answer("network", with: .network(true))
        await store.finish()
      }
    }
  }

  @Test("5: two sources that both fail leave the spinner turning") func both() async {
    let mended = await Sources.report(forgetsBoth: false)
    #expect(mended.isClean, "\(mended)")
    let report = await Sources.report(forgetsBoth: true)
    #expect(report.breaks.map(\.faults) == [["cache (String) fails", "network (String) fails"]])
    #expect(report.breaks.first?.story.count == 4)
  }
}
