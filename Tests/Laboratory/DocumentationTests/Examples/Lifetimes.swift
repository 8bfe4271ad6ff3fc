import Millrace
import Testing

@Suite struct LifetimeExamples {
  private let store = Store(initialState: App(), reduce: reduceWholeApp)

  @Test("what hangs on an optional slice lives while it is present")
  func present() async {
    // Store.connectIfPresent
    store.connectIfPresent(\.detail, action: AppAction.detail) { detail in
      detail.connect(DetailEffect())
    }
    store.dispatch(.detailChosen)
    await store.settled()
    #expect(store.state.detail?.text == "the text")
  }

  @Test("what hangs on a condition lives while it holds")
  func condition() async {
    // ConnectingComponents
    store.connectIfPresent(\.activeSync, action: AppAction.sync) { sync in
      sync.connect(SyncEffect())
    }
    store.dispatch(.sync(true))
    await store.settled()
    #expect(store.state.sync.isDue)
    store.dispatch(.signedIn(true))
    await store.settled()
    #expect(!store.state.sync.isDue)
  }
}
