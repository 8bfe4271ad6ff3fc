import Millrace
import MillraceTestStore
import MillraceTesting
import RidesDomain
import RidesProfile
import Testing

/// Knows one passenger.
private struct Directory: ProfileDirectory {
  func profile(named name: String) async throws(UnknownPassenger) -> Profile {
    guard name == "ada" else { throw UnknownPassenger(name: name) }
    return Profile(name: "Ada", home: Place("old town"))
  }
}

@Suite("Signing in")
struct SignInEffectTests {
  private let ada = Profile(name: "Ada", home: Place("old town"))

  private func testStore() -> TestStore<Account.State, Account.Action> {
    TestStore(initialState: .init(), reduce: Account.reduce) {
      Account.connect(to: $0, directory: Directory())
    }
  }

  @Test("asks for nothing but the name that is being looked up")
  func requests() {
    let effect = SignInEffect(directory: Directory())
    let refused = Account.SignIn.refused(UnknownPassenger(name: "ada"))
    #expect(effect.plan(from: .idle, to: .asking(name: "ada")) == RequestPlan(starts: ["ada"]))
    #expect(effect.plan(from: .asking(name: "ada"), to: refused) == RequestPlan(stops: ["ada"]))
  }

  @Test("sends the profile, or fails with who is unknown")
  func run() async {
    let effect = SignInEffect(directory: Directory())
    #expect(await effect.outcome(of: "ada") == RunOutcome(sent: [.profileArrived(ada)]))
    #expect(await effect.outcome(of: "bob") == RunOutcome(end: .failed(UnknownPassenger(name: "bob"))))
  }

  @Test("in a store of its own it signs in, and says so when it cannot")
  func connected() async {
    let (store, unknown) = (testStore(), UnknownPassenger(name: "bob"))
    store.send(.nameEntered("bob")) { $0.signIn = .asking(name: "bob") }
    store.fail("bob", with: unknown) { $0.signIn = .refused(unknown) }
    store.send(.nameEntered("ada")) { $0.signIn = .asking(name: "ada") }
    store.answer("ada", with: .profileArrived(ada)) { $0 = Account.State(profile: ada) }
    await store.finish()
  }

  @Test("after signing out nobody is looked up")
  func late() async {
    let store = testStore()
    store.send(.nameEntered("ada")) { $0.signIn = .asking(name: "ada") }
    store.send(.signedOut) { $0 = Account.State() }
    store.expect(stopped: "ada")
    await store.finish()
  }
}
