/// The lives of a collection's elements, by the hashes of their ids, which the collection has at hand.
struct ElementLives: Sequence {
  /// The first of each hash.
  private var lives = HashTable<ElementNode>()
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The first of those with this hash; the others follow it.
  func first(_ hash: Int) -> Unmanaged<ElementNode>? { lives.unretained(hash) }

  mutating func insert(_ life: ElementNode) {
    if let first = lives[life.hash] {
      life.next = first.next
      first.next = life
    } else {
      lives[life.hash] = life
    }
    count += 1
  }

  mutating func remove(_ life: ElementNode) {
    count -= 1
    defer { life.next = nil }
    let first = lives[life.hash]
    guard first !== life else {
      lives[life.hash] = life.next
      return
    }
    var before = first
    while let candidate = before, candidate.next !== life { before = candidate.next }
    before?.next = life.next
  }

  /// All of them, one after the other: to begin costs nothing, however many there are.
  func makeIterator() -> AnyIterator<ElementNode> {
    let firsts = lives.makeIterator()
    var following: ElementNode?
    return AnyIterator {
      let life = following ?? firsts.next()
      following = life?.next
      return life
    }
  }
}
