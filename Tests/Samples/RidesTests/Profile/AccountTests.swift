import RidesDomain
import RidesProfile
import Testing

@Suite("The account's reducer")
struct AccountTests {
  private let ada = Profile(name: "Ada", home: Place("old town"))

  @Test("moving house changes the shared profile, signing out forgets it")
  func movingAndLeaving() {
    var state = Account.State(profile: ada)
    Account.reduce(&state, .movedHouse(to: Place("harbour")))
    #expect(state.profile == Profile(name: "Ada", home: Place("harbour")))
    Account.reduce(&state, .signedOut)
    #expect(state == Account.State())
  }
}
