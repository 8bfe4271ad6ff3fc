/// What is known of a passenger. Kept once by whoever has it, shared by all features that need it.
public struct Profile: Hashable, Sendable {
  public var name: String
  public var home: Place
  /// What is used up before a card is charged.
  public var credit: Money
  /// Where the passenger went, latest first.
  public var recent: [Place]

  public init(name: String, home: Place, credit: Money = .zero, recent: [Place] = []) {
    self.name = name
    self.home = home
    self.credit = credit
    self.recent = recent
  }

  /// Somebody who has not said who they are.
  public static let guest = Profile(name: "guest", home: Place("street"))
}
