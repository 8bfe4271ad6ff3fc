import Millrace
import MillraceEffects

/// The app that the doc comments speak of.
struct App: Equatable, Sendable {
  var search = Search.State()
  var counter = Tally.State()
  var detail: Detail?
  var sync = Sync()
  var toasts = Outbox<String>()
  var isSignedIn = false

  // ConnectingComponents
  var activeSync: Sync? { isSignedIn ? sync : nil }
}

struct Detail: Equatable, Sendable { var text: String? }
struct Sync: Equatable, Sendable { var isDue = false }

enum AppAction: Sendable {
  case search(Search.Action)
  case counter(Tally.Action)
  case detail(String)
  case detailChosen
  case sync(Bool)
  case signedIn(Bool)
  case toasts(Outbox<String>.Action)
  case noticed(String)
  case reset
}

/// A feature that counts.
enum Tally {
  struct State: Equatable, Sendable { var count = 0 }
  enum Action: Equatable, Sendable { case incremented }

  static func reduce(_ state: inout State, _ action: Action) { state.count += 1 }
}

func reduceWholeApp(_ state: inout App, _ action: AppAction) {
  switch action {
  case .search(let action): Search.reduce(&state.search, action)
  case .counter(let action): Tally.reduce(&state.counter, action)
  case .detail(let text): state.detail?.text = text
  case .detailChosen: state.detail = Detail()
  case .sync(let isDue): state.sync.isDue = isDue
  case .signedIn(let isSignedIn): state.isSignedIn = isSignedIn
  case .toasts(let action): state.toasts.reduce(action)
  case .noticed(let toast): state.toasts.append(toast)
  case .reset: state = App()
  }
}

struct DetailEffect: EffectComponent {
  func requests(in state: Detail) -> Set<String> { state.text == nil ? ["text"] : [] }
  func run(_ request: String, send: Send<String>) async { await send("the \(request)") }
}

struct SyncEffect: EffectComponent {
  func requests(in state: Sync) -> Set<Bool> { state.isDue ? [true] : [] }
  func run(_ request: Bool, send: Send<Bool>) async { await send(false) }
}
