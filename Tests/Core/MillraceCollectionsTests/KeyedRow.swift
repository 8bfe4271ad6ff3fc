/// An element whose id hashes as the test wants.
struct KeyedRow: Identifiable, Hashable, Sendable, Codable {
  struct ID: Hashable, Sendable, Codable, CustomStringConvertible, ExpressibleByIntegerLiteral {
    var number: Int
    /// How many different hashes there are: 0 stands for as many as numbers.
    var hashes = 0

    init(_ number: Int, hashes: Int = 0) {
      self.number = number
      self.hashes = hashes
    }
    init(integerLiteral value: Int) { number = value }

    static func == (left: ID, right: ID) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(hashes == 0 ? number : number % hashes) }
    var description: String { "\(number)" }
  }

  let id: ID
  var value: Int

  init(_ id: ID, _ value: Int = 0) {
    self.id = id
    self.value = value
  }
}
