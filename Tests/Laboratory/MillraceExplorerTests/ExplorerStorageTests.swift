import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceStorage
import MillraceTesting
import Testing

/// The effects of storage pass on what the policies within them do.
@Suite struct ExplorerStorageTests {
  struct Job: Codable, Hashable, Sendable {
    var name: String? = "a"
  }

  struct State: Hashable, Sendable {
    var job = Saving(StoredValue(value: Job()), or: Job())
    var log: [String] = []
  }

  enum Action: Sendable {
    case again
    case ended(String)
    case once(OnceEvent<String>)
  }

  struct JobEffect: EffectComponent {
    typealias Action = ExplorerStorageTests.Action
    func requests(in job: Job) -> Set<String> { job.name.map { [$0] } ?? [] }
    func run(_ name: String, send: Send<Action>) async throws(Offline) {}
    func action(for failure: Offline, of name: String) -> Action { .ended("failed") }
  }

  /// What the log may be at the end.
  private func logs(_ effect: some EffectComponent<Saving<Job>, Action>) -> Set<[String]> {
    let logs = Recorder<[String]>()
    let report = Explorer(initialState: State()) { state, action in
      switch action {
      case .again: state.log.append("again")
      case .ended(let how): state.log.append(how)
      case .once: break
      }
    } connect: {
      $0.connect(effect, to: \.job, named: "job")
    }
    .outcomes(of: String.self) { _ in [.answers(.ended("done")), .fails(Offline())] }
    .always("recorded") { state, running in
      if running.isEmpty { logs.append(state.log) }
      return true
    }
    .explore()
    #expect(report.isClean, "\(report)")
    return Set(logs.values)
  }

  @Test func theEffectWithinIsRetried() {
    let ends: Set = [["done"], ["again", "done"], ["again", "failed"]]
    let retried = JobEffect().retried(times: 1, action: { _, _ in .again })
    #expect(logs(retried.whenSaved()) == ends)
    let ledger = Ledger<String>(at: "/nowhere")
    let once = retried.once(in: ledger, key: { $0 }, attempt: { _ in 1 }, event: { .once($0) })
    #expect(logs(once.whenSaved()) == ends)
  }
}
