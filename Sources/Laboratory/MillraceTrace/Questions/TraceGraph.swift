/// A graph of a recorded program: the effects that its actions start, and the actions that its effects send. Pure.
package struct TraceGraph {
  package enum Format: String, Sendable { case dot, mermaid }

  private enum Node: Hashable, Comparable {
    case outside
    case slice(String)
    case action(String)
    case effect(String)
    case component(String)

    var label: String {
      switch self {
      case .outside: "outside"
      case .slice(let text), .action(let text), .effect(let text), .component(let text): text
      }
    }

    /// The shape in Graphviz, and the brackets around the label in Mermaid.
    var shape: (name: String, open: String, close: String) {
      switch self {
      case .outside: ("doublecircle", "((", "))")
      case .slice: ("folder", "[(", ")]")
      case .action: ("plaintext", ">", "]")
      case .effect: ("box", "[", "]")
      case .component: ("ellipse", "(", ")")
      }
    }
  }

  private struct Edge: Hashable {
    let from: Node
    let to: Node
  }

  private var edges: [Edge: Int] = [:]

  package init(_ history: TraceHistory) {
    let effects = Set(history.runs.values.map(\.start.name))
    for connection in history.connections.values {
      guard let slice = connection.slice, slice != "-" else { continue }
      let name = connection.name
      add(.slice(slice), effects.contains(name) ? .effect(name) : .component(name))
    }
    for action in history.actions.keys.compactMap(history.action) {
      let sender = action.cause.run.flatMap { history.runs[$0] }.map { Node.effect($0.start.name) }
      add(sender ?? .outside, .action(action.kind))
    }
    for serving in history.runs.values.flatMap(\.servings) {
      guard let action = serving.value.by.flatMap(history.action) else { continue }
      add(.action(action.kind), .effect(serving.run.start.name))
    }
  }

  private mutating func add(_ from: Node, _ to: Node) { edges[Edge(from: from, to: to), default: 0] += 1 }

  private var sorted: [(edge: Edge, count: Int)] {
    edges.sorted { ($0.key.from, $0.key.to) < ($1.key.from, $1.key.to) }.map { ($0.key, $0.value) }
  }

  package var json: JSON {
    .array(
      sorted.map { edge, count in
        ["from": .string(edge.from.label), "to": .string(edge.to.label), "count": .int(Int64(count))]
      })
  }

  package func text(_ format: Format) -> String {
    let nodes = Set(edges.keys.flatMap { [$0.from, $0.to] }).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: zip(nodes, 0...))
    func id(_ node: Node) -> String { "n\(numbers[node] ?? 0)" }
    switch format {
    case .dot:
      let lines =
        nodes.map { "  \(id($0)) [label=\(Self.quoted($0.label)), shape=\($0.shape.name)];" }
        + sorted.map { "  \(id($0.edge.from)) -> \(id($0.edge.to)) [label=\"\($0.count)\"];" }
      return (["digraph millrace {", "  rankdir=LR;"] + lines + ["}"]).joined(separator: "\n")
    case .mermaid:
      let lines =
        nodes.map { "  \(id($0))\($0.shape.open)\(Self.mermaid($0.label))\($0.shape.close)" }
        + sorted.map { "  \(id($0.edge.from)) -->|\($0.count)| \(id($0.edge.to))" }
      return (["flowchart LR"] + lines).joined(separator: "\n")
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: " ") + "\""
  }

  private static func mermaid(_ text: String) -> String {
    "\"" + text.replacing("\"", with: "#quot;").replacing("\n", with: " ") + "\""
  }
}
