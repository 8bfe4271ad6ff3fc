import Foundation
import Millrace
import MillraceEffects
import MillraceStorage
import MillraceTesting
import TestSupport
import Testing

@Suite struct OfflineListExamples {
  // an item
  struct Item: Hashable, Codable, Sendable, Identifiable {
    var id: String
    var title = ""
    var isDone = false
  }

  // an edit
  struct Edit: Hashable, Codable, Sendable {
    /// The item as the server had it, as far as this program knew.
    var base: Item
    /// The item as it is to be.
    var edited: Item

    /// Returns the server's item with the fields that this edit has changed.
    func merged(into theirs: Item) -> Item {
      var merged = theirs
      if edited.title != base.title { merged.title = edited.title }
      if edited.isDone != base.isDone { merged.isDone = edited.isDone }
      return merged
    }
  }

  // the state
  struct State: Equatable, Sendable {
    /// The edits that wait, and the items as the server had them.
    var list = DurableOutbox<Edit, Item.ID, Item>()
    /// The items with the edits that wait, as they are shown.
    var shown: [Item.ID: Item] = [:]

    mutating func show(_ id: Item.ID) {
      let edits = list.entries(lane: id).map(\.payload)
      shown[id] = edits.reduce(list[id] ?? Item(id: id)) { item, edit in edit.merged(into: item) }
    }

    mutating func resolve(_ key: OutboxKey, _ theirs: Item) {
      guard let edit = list.entry(key)?.payload else { return }
      list[theirs.id] = theirs
      list.replace(key, by: Edit(base: theirs, edited: edit.merged(into: theirs)))
    }
  }

  enum AppAction: Sendable {
    case edited(Item)
    case pulled([Item])
    case undone(OutboxKey)
    case outbox(DurableOutboxEvent<Item>)
    case journal(DurableOutbox<Edit, Item.ID, Item>.Journal)
  }

  static func reduce(_ state: inout State, _ action: AppAction) {
    switch action {
    // the edit
    case .edited(let item):
      guard state.list.isLoaded else { return }  // nothing is shown yet
      let base = state.shown[item.id] ?? Item(id: item.id)
      state.list.append(Edit(base: base, edited: item), lane: item.id)
      state.show(item.id)
    // the answer
    case .outbox(let event):
      state.list.reduce(event)
      switch event {
      case .confirmed(_, let theirs?):
        state.list[theirs.id] = theirs
        state.show(theirs.id)
      case .returned(let key, let theirs?, _): state.resolve(key, theirs)
      case .rejected(let key, _): if let item = state.list.entry(key)?.lane { state.show(item) }
      default: break
      }
    // the pull
    case .pulled(let items):
      for item in items {
        state.list[item.id] = item
        state.show(item.id)
      }
    // the load
    case .journal(let event):
      state.list.reduce(event)
      guard case .loaded = event else { return }
      for id in Set(state.list.values.keys).union(state.list.entries.map(\.lane)) { state.show(id) }
    case .undone(let key): state.list.remove(key)
    }
  }

  /// A server that compares what it has with what an edit was made of.
  actor Service {
    private(set) var items: [Item.ID: Item] = [:]
    private var inbox = Inbox()
    func set(_ item: Item) { items[item.id] = item }

    enum Response {
      case ok(Item)
      case conflict(Item)
    }

    func put(_ edit: Edit, key: OutboxKey) throws -> Response {
      let id = edit.edited.id
      let current = items[id] ?? Item(id: id)
      if inbox.hasAccepted(key, lane: id) { return .ok(current) }
      guard current == edit.base else { return .conflict(current) }
      _ = inbox.accept(key, lane: id)
      items[id] = edit.edited
      return .ok(edit.edited)
    }
  }

  private func connect(
    _ store: Store<State, AppAction>, _ storage: DurableOutbox<Edit, Item.ID, Item>.Storage,
    _ service: Service
  ) {
    // the effects
    let deliveries = DurableOutboxEffect<Edit, Item> { entry in
      switch try await service.put(entry.payload, key: entry.key) {
      case .ok(let item): return .received(item)
      case .conflict(let theirs): return .returned(theirs)
      }
    }
    store.connect(deliveries, to: \.list.due, action: AppAction.outbox)
    store.connect(JournalEffect(storage), to: \.list.backlog, action: AppAction.journal)
  }

  @Test("an edit is shown at once, a conflict is merged by field, and both sides are equal in the end")
  func conflict() async throws {
    let folder = try TemporaryFolder()
    let storage = DurableOutbox<Edit, Item.ID, Item>.Storage(at: folder.file("list"))
    let service = Service()
    await service.set(Item(id: "1", title: "milk"))
    let store = Store(initialState: State(), reduce: Self.reduce)
    store.dispatch(.edited(Item(id: "0")))
    store.dispatch(.journal(.loaded(StoredEntries())))
    store.dispatch(.pulled([Item(id: "1", title: "milk")]))
    await service.set(Item(id: "1", title: "milk and bread"))
    store.dispatchAndWait(.edited(Item(id: "1", title: "milk", isDone: true)))
    store.dispatchAndWait(.edited(Item(id: "2", title: "salt")))
    #expect(store.state.shown["1"]?.isDone == true && store.state.shown["2"]?.title == "salt")
    connect(store, storage, service)
    await store.settled()
    let merged = Item(id: "1", title: "milk and bread", isDone: true)
    #expect(store.state.shown["1"] == merged && store.state.list.count == 0)
    #expect(await service.items == store.state.shown && store.state.list.values == store.state.shown)
    await store.shutdown()
    try await storage.remove()
  }

  // Undo
  struct Mail: Hashable, Codable, Sendable { var text: String }

  struct Mails: Equatable, Sendable {
    var draft = Undoable("", limit: 20)
    var outgoing = DurableOutbox<Mail, Never, Never>()
    var sending: OutboxKey?

    mutating func send(at moment: Date) {
      let key = outgoing.append(Mail(text: draft.present))
      outgoing.hold(key, until: moment)  // ten seconds from now, by the action
      sending = key
    }

    mutating func takeBack() {
      if let key = sending { outgoing.remove(key) }
      sending = nil
    }
  }
}
