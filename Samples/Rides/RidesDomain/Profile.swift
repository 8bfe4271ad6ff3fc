/// The data of a passenger. The app keeps one, which all features that need it share.
public struct Profile: Codable, Hashable, Sendable {
  public var name: String
  public var home: Place
  /// The credit, used up before a card is charged.
  public var credit: Money
  /// The passenger's destinations, latest first.
  public var recent: [Place]

  public init(name: String, home: Place, credit: Money = .zero, recent: [Place] = []) {
    self.name = name
    self.home = home
    self.credit = credit
    self.recent = recent
  }

  /// The profile before sign-in.
  public static let guest = Profile(name: "guest", home: Place("street"))
}
