/// The storage of notes. A test uses its own shelf.
protocol Shelf: Sendable {
  func notes(of user: String) async -> [Note]
  func keep(_ notes: [Note], of user: String) async throws(ShelfFailure)
  func find(_ query: String, of user: String) async -> [Int]
  func title(of text: String) async -> String
}

enum ShelfFailure: Error, Equatable {
  case full
}

/// A shelf in memory.
actor MemoryShelf: Shelf {
  private var kept: [String: [Note]]
  private let capacity: Int

  init(_ kept: [String: [Note]] = [:], capacity: Int = 10) {
    self.kept = kept
    self.capacity = capacity
  }

  func notes(of user: String) -> [Note] { kept[user, default: []] }

  func keep(_ notes: [Note], of user: String) throws(ShelfFailure) {
    if notes.count > capacity { throw .full }
    kept[user] = notes
  }

  func find(_ query: String, of user: String) -> [Int] {
    kept[user, default: []].filter { $0.text.contains(query) }.map(\.id)
  }

  /// The first word of the text.
  nonisolated func title(of text: String) async -> String {
    text.split(separator: " ").first.map(String.init) ?? "untitled"
  }
}
