import Foundation
import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceTestStore
import MillraceTesting
import Testing

// ClientsAsValues
struct ReminderClient: Sendable {
  var load: @Sendable () async throws -> [Reminder]
  var save: @Sendable (Reminder) async throws -> Void
}

struct Reminder: Hashable, Codable, Sendable {
  let id: UUID
  let text: String
  let due: Date
}

// ClientsAsValues
extension ReminderClient {
  static func live(_ http: HTTPClient, at address: String) -> ReminderClient {
    ReminderClient(
      load: {
        let response = try await http.load(HTTPRequest("\(address)/reminders"))
        return try JSONDecoder().decode([Reminder].self, from: response.body)
      },
      save: { reminder in
        let body = try JSONEncoder().encode(reminder)
        _ = try await http.load(
          HTTPRequest("\(address)/reminders/\(reminder.id)", method: "PUT", body: body))
      })
  }
}

/// Reminders that are saved on a server.
enum Reminders {
  // ClientsAsValues
  struct State: Equatable, Sendable {
    var reminders: [Reminder] = []
    var unsaved: Set<Reminder> = []
    var problem: String?
  }

  enum Action: Equatable, Sendable {
    case added(Reminder)
    case saved(Reminder)
    case saveFailed(Reminder, String)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .added(let reminder):
      state.reminders.append(reminder)
      state.unsaved.insert(reminder)
    case .saved(let reminder): state.unsaved.remove(reminder)
    case .saveFailed(let reminder, let reason):
      state.problem = "\(reminder.text) is not saved: \(reason)"
    }
  }

  static func connect(to store: Store<State, Action>, client: ReminderClient) {
    store.connect(
      when: \.unsaved, failure: { error, reminder in .saveFailed(reminder, "\(error)") },
      run: { reminder, send in
        try await client.save(reminder)
        await send(.saved(reminder))
      })
  }
}

// ClientsAsValues
struct World: Sendable {
  var reminders: ReminderClient
  var weather: any WeatherService
  var clock: any Clock<Duration>
  var now: @Sendable () -> Date
  var newID: @Sendable () -> UUID
}

// ClientsAsValues
extension World {
  static func live(http: HTTPClient = HTTPClient()) -> World {
    World(
      reminders: .live(http, at: "https://reminders.example.org"), weather: Almanac(),
      clock: ContinuousClock(), now: { Date() }, newID: { UUID() })
  }
}

/// An app of two features that know nothing of each other.
enum Planner {
  struct State: Equatable, Sendable {
    var reminders = Reminders.State()
    var weather = Weather.State()
  }

  enum Action: Sendable {
    case reminders(Reminders.Action)
    case weather(Weather.Action)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .reminders(let action): Reminders.reduce(&state.reminders, action)
    case .weather(let action): Weather.reduce(&state.weather, action)
    }
  }

  // ClientsAsValues
  static func connect(to store: Store<State, Action>, world: World) {
    Reminders.connect(
      to: store.scope(\.reminders, action: Action.reminders), client: world.reminders)
    Weather.connect(to: store.scope(\.weather, action: Action.weather), service: world.weather)
  }
}

// ClientsAsValues
extension ReminderClient {
  static var unimplemented: ReminderClient {
    ReminderClient(
      load: MillraceTestStore.unimplemented("ReminderClient.load", placeholder: []),
      save: MillraceTestStore.unimplemented("ReminderClient.save"))
  }
}

@Suite struct ClientExamples {
  // ClientsAsValues, a clock of a policy
  static func connect(to store: Store<Search.State, Search.Action>, clock: some Clock<Duration>) {
    let search = SearchEffect(client: SearchClient())
    store.connect(search.debounced(for: .milliseconds(300), clock: clock))
  }

  @Test("the clock of a world is passed to a policy")
  func clock() async throws {
    let clock = TestClock()
    var world = World.live()
    world.clock = clock
    let store = Store(initialState: Search.State(), reduce: Search.reduce)
    // ClientsAsValues, a clock of a policy
    Self.connect(to: store, clock: world.clock)
    store.dispatch(.queryChanged("swift"))
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(300))
    await store.settled()
    #expect(store.state.results == ["swift.org"])
  }

  @Test("a reminder is saved by the one endpoint that the test implements")
  func saving() async {
    let saved = Recorder<Reminder>()
    // ClientsAsValues
    var client = ReminderClient.unimplemented
    client.save = { saved.append($0) }
    let store = TestStore(
      initialState: Reminders.State(), serving: .bodies, reduce: Reminders.reduce
    ) { [client] in Reminders.connect(to: $0, client: client) }
    let ids = IncrementingIDs.uuids()
    let reminder = Reminder(id: ids.next(), text: "call Ann", due: TestClock().date())
    store.send(.added(reminder)) {
      $0.reminders = [reminder]
      $0.unsaved = [reminder]
    }
    await store.receive(.saved(reminder)) { $0.unsaved = [] }
    await store.finish()
    #expect(saved.values == [reminder])
  }

  @Test("a client is answered by a closure")
  func answering() async throws {
    // MillraceHTTP, without a server
    let http = HTTPClient { request in
      guard request.url == "https://example.org/feed" else { return HTTPResponse(status: 404) }
      return HTTPResponse(body: Data("news".utf8))
    }
    let news = try await http.load(HTTPRequest("https://example.org/feed"))
    #expect(String(decoding: news.body, as: UTF8.self) == "news")
    await #expect(throws: HTTPFailure.self) { try await http.load(HTTPRequest("https://example.org/")) }
  }

  @Test("whoever dispatches asks the world for the date and the id")
  func dispatching() async {
    let (ids, clock) = (IncrementingIDs.uuids(), TestClock())
    let world = World(
      reminders: ReminderClient(load: { [] }, save: { _ in }), weather: Almanac(), clock: clock,
      now: { clock.date() }, newID: { ids.next() })
    let store = Store(initialState: Planner.State(), reduce: Planner.reduce)
    Planner.connect(to: store, world: world)
    // ClientsAsValues
    let due = world.now().addingTimeInterval(3600)
    store.dispatch(.reminders(.added(Reminder(id: world.newID(), text: "call Ann", due: due))))
    await store.settled()
    #expect(store.state.reminders.reminders.map(\.due) == [Date(timeIntervalSince1970: 3600)])
    #expect(store.state.reminders.unsaved.isEmpty)
  }

  @Test("a preview has values that never fail")
  func preview() async throws {
    // ClientsAsValues
    var world = World.live()
    world.reminders = ReminderClient(load: { [] }, save: { _ in })
    #expect(try await world.reminders.load().isEmpty)
  }
}
