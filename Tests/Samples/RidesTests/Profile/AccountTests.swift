import RidesDomain
import RidesProfile
import Testing

@Suite("The account's reducer")
struct AccountTests {
  private let ada = Profile(name: "Ada", home: Place("old town"))

  @Test("a name that is entered is asked for, and its profile taken")
  func signingIn() {
    var state = Account.State()
    Account.reduce(&state, .nameEntered("ada"))
    #expect(state == Account.State(signIn: .asking(name: "ada")))
    Account.reduce(&state, .profileArrived(ada))
    #expect(state == Account.State(profile: ada))
  }

  @Test("a refusal leaves the profile alone and says who is unknown")
  func refusal() {
    var state = Account.State(profile: ada, signIn: .asking(name: "x"))
    Account.reduce(&state, .refused(UnknownPassenger(name: "x")))
    #expect(state == Account.State(profile: ada, signIn: .refused(UnknownPassenger(name: "x"))))
  }

  @Test("moving house changes the shared profile, signing out forgets it")
  func movingAndLeaving() {
    var state = Account.State(profile: ada)
    Account.reduce(&state, .movedHouse(to: Place("harbour")))
    #expect(state.profile == Profile(name: "Ada", home: Place("harbour")))
    Account.reduce(&state, .signedOut)
    #expect(state == Account.State())
  }
}
