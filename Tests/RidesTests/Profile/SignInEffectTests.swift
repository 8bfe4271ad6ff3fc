import Millrace
import MillraceTesting
import RidesDomain
import RidesProfile
import Testing

/// Knows one passenger, and answers when the gate lets it.
private struct Directory: ProfileDirectory {
  var gate = Gate(isOpen: true)

  func profile(named name: String) async throws(UnknownPassenger) -> Profile {
    await gate.waitIgnoringCancellation()
    guard name == "ada" else { throw UnknownPassenger(name: name) }
    return Profile(name: "Ada", home: Place("old town"))
  }
}

@Suite("Signing in")
struct SignInEffectTests {
  private let ada = Profile(name: "Ada", home: Place("old town"))

  @Test("asks for nothing but the name that is being looked up")
  func requests() {
    let effect = SignInEffect(directory: Directory())
    #expect(effect.requests(in: .asking(name: "ada")) == ["ada"])
    #expect(effect.requests(in: .idle) == [])
    #expect(effect.requests(in: .refused(UnknownPassenger(name: "ada"))) == [])
  }

  @Test("sends the profile, or fails with who is unknown")
  func run() async throws {
    let sent = Recorder<Account.Action>()
    let effect = SignInEffect(directory: Directory())
    try await effect.run("ada", send: .recording(into: sent))
    #expect(sent.values == [.profileArrived(ada)])
    await #expect(throws: UnknownPassenger(name: "bob")) {
      try await effect.run("bob", send: .recording(into: sent))
    }
    #expect(sent.count == 1)
  }

  @Test("in a store of its own it signs in, and says so when it cannot")
  func connected() async {
    let store = Store(initialState: Account.State(), on: .immediate, reduce: Account.reduce)
    Account.connect(to: store, directory: Directory())
    store.dispatch(.nameEntered("bob"))
    await store.settled()
    #expect(store.state == Account.State(signIn: .refused(UnknownPassenger(name: "bob"))))
    store.dispatch(.nameEntered("ada"))
    await store.settled()
    #expect(store.state == Account.State(profile: ada))
  }

  @Test("a profile that arrives after signing out is not taken")
  func late() async throws {
    let gate = Gate()
    let store = Store(initialState: Account.State(), on: .immediate, reduce: Account.reduce)
    Account.connect(to: store, directory: Directory(gate: gate))
    store.dispatch(.nameEntered("ada"))
    try await gate.waiters(atLeast: 1)
    store.dispatch(.signedOut)
    gate.open()
    await store.settled()
    #expect(store.state == Account.State())
    #expect(store.activity.fenced == 1)
  }
}
