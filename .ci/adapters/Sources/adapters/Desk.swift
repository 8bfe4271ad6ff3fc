import Millrace

/// The feature that the adapters are run with. A look-up throws for a word that begins with `no`; whatever it finds or
/// fails with is kept by another effect. Words stand for the data of a program, which no adapter may give away.
struct Desk: Equatable, Sendable {
  var words: Set<String> = []
  var unkept: Set<String> = []
  var stubborn: Set<String> = []
}

enum DeskAction: Equatable, Sendable {
  case ask(String)
  case drop(String)
  case found(String)
  case missed(String)
  case kept(String)
  case hold(String)
}

func reduceDesk(_ state: inout Desk, _ action: DeskAction) {
  switch action {
  case .ask(let word): state.words.insert(word)
  case .drop(let word): state.words.remove(word)
  case .found(let word), .missed(let word):
    state.words.remove(word)
    state.unkept.insert(word)
  case .kept(let word): state.unkept.remove(word)
  case .hold(let word): state.stubborn.insert(word)
  }
}

struct NotFound: Error {
  let word: String
}

/// Finds words; a word that begins with `slow` only when the run is stopped.
struct LookUp: EffectComponent {
  func requests(in state: Desk) -> Set<String> { state.words }

  func run(_ word: String, send: Send<DeskAction>) async throws(NotFound) {
    if word.hasPrefix("no") { throw NotFound(word: word) }
    if word.hasPrefix("slow") { try? await Task.sleep(for: .seconds(3600)) }
    await send(.found(word))
  }

  func action(for failure: NotFound, of word: String) -> DeskAction { .missed(word) }
}

/// Keeps what was found.
struct Keep: EffectComponent {
  func requests(in state: Desk) -> Set<String> { state.unkept }
  func run(_ word: String, send: Send<DeskAction>) async { await send(.kept(word)) }
}

/// Does not notice that it is stopped.
struct Stubborn: EffectComponent {
  func requests(in state: Desk) -> Set<String> { state.stubborn }

  func run(_ word: String, send: Send<DeskAction>) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      Task.detached {
        try? await Task.sleep(for: .seconds(600))
        continuation.resume()
      }
    }
  }
}

func connectDesk(_ store: Store<Desk, DeskAction>) {
  store.connect(LookUp())
  store.connect(Keep())
  store.connect(Stubborn())
}
