import Foundation
import MillraceCollections
import Testing

@Suite("Paths of screens") struct ScreenPathTests {
  private enum Screen: Hashable, Codable, Sendable {
    case inbox
    case message(Int)
    case settings
  }
  private typealias Path = ScreenPath<Screen>

  @Test("equal screens are entries of their own, and identities are not given again")
  func identities() {
    var path = Path([.inbox])
    let first = path.push(.message(7))
    let second = path.push(.message(7))
    #expect(first != second)
    #expect(path.screens == [.inbox, .message(7), .message(7)])
    #expect(path.top == Path.Entry(id: second, screen: .message(7)))
    path.pop(to: first)
    #expect(path.top?.id == first && path.entries[id: second] == nil)
    #expect(path.pop()?.id == first)
    let third = path.push(.message(7))
    #expect(![first, second].contains(third))
    #expect("\(path.entries)" == "[#1 inbox, #4 message(7)]")
  }

  @Test("entries are removed with what is above them, or changed at their place")
  func changes() {
    var path = Path([.inbox, .message(1), .message(2), .settings])
    let ids = path.entries.map(\.id)
    path.change(ids[1], to: .message(9))
    #expect(path.screens == [.inbox, .message(9), .message(2), .settings])
    #expect(path.entries.map(\.id) == ids)
    path.remove(from: ids[2])
    #expect(path.entries.map(\.id) == Array(ids[..<2]))
    path.remove(from: ids[3])
    path.pop(to: ids[3])
    path.change(ids[3], to: .inbox)
    #expect(path.screens == [.inbox, .message(9)])
    path.pop(to: ids[1])
    #expect(path.screens == [.inbox, .message(9)])
    path.remove(from: ids[0])
    #expect(path.entries.isEmpty && path.top == nil && path.pop() == nil)
  }

  @Test("a link keeps the entries that lead to the same screens, from the first one on")
  func links() {
    var path = Path([.inbox, .message(1), .settings])
    let ids = path.entries.map(\.id)
    path.show([.inbox, .message(1), .message(2), .settings])
    #expect(path.screens == [.inbox, .message(1), .message(2), .settings])
    #expect(Array(path.entries.map(\.id).prefix(2)) == Array(ids.prefix(2)))
    #expect(Set(path.entries.map(\.id).suffix(2)).isDisjoint(with: ids))
    path.show([.inbox])
    #expect(path.entries.map(\.id) == [ids[0]])
    path.show([.settings, .inbox])
    #expect(!path.entries.map(\.id).contains(ids[0]))
    path.show([])
    #expect(path.entries.isEmpty)
  }

  @Test("identities are kept on disk, and so is which one comes next")
  func coding() throws {
    var path = Path([.inbox, .message(1), .settings])
    path.pop()
    var copy = try JSONDecoder().decode(Path.self, from: JSONEncoder().encode(path))
    #expect(copy == path)
    #expect(copy.push(.settings) == Path.ID(number: 4))
  }

  @Test(
    "what no path has encoded is refused, and told by its identity",
    arguments: [
      ("[2, 2]", "5", "#2"),
      ("[1, 0]", "5", "the identity #0 was never given: the last one is #5"),
      ("[6]", "5", "the identity #6 was never given: the last one is #5"),
      ("[1]", "18446744073709551615", "no identity is left after #18446744073709551615"),
    ])
  func refused(_ numbers: String, _ last: String, _ reason: String) throws {
    let ids = try JSONDecoder().decode([Int].self, from: Data(numbers.utf8))
    let entries = ids.map { #"{"id":{"number":\#($0)},"screen":{"inbox":{}}}"# }.joined(separator: ",")
    let text = #"{"entries":[\#(entries)],"lastNumber":\#(last)}"#
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Path.self, from: Data(text.utf8))
    }
    #expect(error.map { "\($0)" }?.contains(reason) == true)
  }
}
