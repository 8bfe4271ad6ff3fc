import Testing

@testable import MillraceTesting

private class Node {
  var name: String
  var next: Node?
  init(_ name: String, _ next: Node? = nil) { (self.name, self.next) = (name, next) }
}

private final class Weighed: Node { var weight = 1 }

/// Equal if it is the same instance.
private final class Account: Hashable {
  var balance: Int
  init(_ balance: Int) { self.balance = balance }
  static func == (left: Account, right: Account) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@Suite("Difference of objects") struct DifferenceObjectTests {
  @Test("an object that is shared differs once, and nothing else is said of it") func shared() {
    struct Pair: Equatable {
      var left: Node, right: Node
      static func == (one: Pair, other: Pair) -> Bool { one.left === other.left && one.right === other.right }
    }
    let (old, new) = (Node("a"), Node("b"))
    expectChange(Pair(left: old, right: old), Pair(left: new, right: new), #"left.name: "a" → "b""#)
    struct Holder: Equatable {
      var node: Node
      static func == (one: Holder, other: Holder) -> Bool { one.node.name == other.node.name }
    }
    #expect(
      Difference(
        from: [Holder(node: old), Holder(node: old)], to: [Holder(node: new), Holder(node: new)]
      ).lines == [#"[0].node.name: "a" → "b""#])
  }

  @Test("objects are spelled by what they hold, with their superclasses, and within themselves by name")
  func spelled() {
    expectChange(
      Optional<Node>.none, Node("a", Node("b")), #"nil → Node(name: "a", next: Node(name: "b", next: nil))"#)
    expectChange(Optional<Node>.none, Weighed("a"), #"nil → Weighed(name: "a", next: nil, weight: 1)"#)
    let ring = Node("r")
    ring.next = ring
    expectChange(Optional<Node>.none, ring, #"nil → Node(name: "r", next: Node)"#)
    ring.next = nil
  }

  @Test("objects in a list are matched by what they hold") func matched() {
    expectChange(
      [Account(1), Account(2)], [Account(2), Account(3)], "[0]: removed Account(balance: 1)",
      "[1]: added Account(balance: 3)")
  }

  @Test("unequal instances with equal contents are shown as such") func otherInstance() {
    struct Holder: Equatable { var account = Account(1) }
    expectChange(
      Holder(), Holder(), "account: another instance, unequal by ==, that holds the same: Account(balance: 1)"
    )
  }

  @Test("objects that identify themselves are compared by place") func selfIdentified() {
    final class Row: Identifiable {
      var title: String
      init(_ title: String) { self.title = title }
    }
    expectChange([Row("a"), Row("b")], [Row("a"), Row("c")], #"[1].title: "b" → "c""#)
  }

  @Test("rings that hold the same do not differ, also in lists") func rings() {
    func ring(_ name: String) -> Node {
      let (first, second) = (Node("a"), Node(name))
      (first.next, second.next) = (second, first)
      return first
    }
    let rings = [ring("b"), ring("b"), ring("c")]
    expectChange(rings[0], rings[1])
    expectChange([rings[0]], [rings[1]])
    expectChange([rings[0]], [rings[2]], #"[0].next?.name: "b" → "c""#)
    for ring in rings { ring.next?.next = nil }
  }

  @Test("a chain that is too long is not compared to its end, and the difference says so") func deep() {
    func chain(_ last: String) -> Node { (0..<1000).reduce(Node(last)) { next, _ in Node("n", next) } }
    let difference = Difference(from: chain("a"), to: chain("b"))
    #expect(difference.count == 1)
    #expect(difference.lines[0].hasSuffix("next: not compared any further: more than 200 levels deep"))
  }

  @Test("a graph that every row refers to is looked at in proportion to its size") func graph() {
    final class Document {
      var rows: [Row] = []
      var version: Int
      init(_ version: Int) { self.version = version }
    }
    struct Row {
      var number: Int
      weak var document: Document?
    }
    func document(_ version: Int) -> Document {
      let document = Document(version)
      document.rows = (0..<60).map { Row(number: $0, document: document) }
      return document
    }
    let (old, new) = (document(1), document(2))
    var comparison = DifferenceComparison(findings: DifferenceFindings(wording: .change, limit: 9))
    comparison.compare(old, new, at: DifferencePath())
    #expect(comparison.findings.lines == ["version: 1 → 2"])
    #expect(comparison.objects.parts < 50_000, "of 60 rows, \(comparison.objects.parts) parts")
  }

  @Test("a tree of shared parts without == is compared up to a bound") func bounded() {
    indirect enum Tree {
      case leaf(Int)
      case node([Tree])
    }
    func tree(_ leaf: Int) -> Tree { (0..<30).reduce(Tree.leaf(leaf)) { tree, _ in .node([tree, tree]) } }
    var comparison = DifferenceComparison(
      findings: DifferenceFindings(wording: .change, limit: .max), objects: ComparedObjects(mostParts: 1000))
    comparison.compare(tree(1), tree(2), at: DifferencePath())
    #expect(comparison.objects.parts == 1000)
    let bounds = comparison.findings.lines.filter { $0.contains("not compared any further") }
    #expect(bounds.count == 1 && bounds[0].hasSuffix("not compared any further: more than 1000 parts"))
  }
}
