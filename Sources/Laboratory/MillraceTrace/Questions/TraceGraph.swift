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
      let node =
        effects.contains(connection.name) ? Node.effect(connection.name) : .component(connection.name)
      add(.slice(slice), node)
    }
    for sequence in history.actions.keys {
      guard let action = history.action(sequence) else { continue }
      let kind = Node.action(action.kind)
      if let run = action.cause.run.flatMap({ history.runs[$0] }) {
        add(.effect(run.start.name), kind)
      } else {
        add(.outside, kind)
      }
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

  private var numbers: [Node: Int] {
    let nodes = Set(edges.keys.flatMap { [$0.from, $0.to] }).sorted()
    return Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1, $0) })
  }

  package var json: JSON {
    .array(
      sorted.map { edge, count in
        ["from": .string(edge.from.label), "to": .string(edge.to.label), "count": .int(Int64(count))]
      })
  }

  package func text(_ format: Format) -> String {
    let numbers = numbers
    func id(_ node: Node) -> String { "n\(numbers[node] ?? 0)" }
    let nodes = numbers.keys.sorted()
    switch format {
    case .dot:
      let lines =
        nodes.map { "  \(id($0)) [label=\(Self.quoted($0.label)), shape=\(Self.shape($0))];" }
        + sorted.map { "  \(id($0.edge.from)) -> \(id($0.edge.to)) [label=\"\($0.count)\"];" }
      return (["digraph millrace {", "  rankdir=LR;"] + lines + ["}"]).joined(separator: "\n")
    case .mermaid:
      let lines =
        nodes.map { "  \(id($0))\(Self.mermaid($0))" }
        + sorted.map { "  \(id($0.edge.from)) -->|\($0.count)| \(id($0.edge.to))" }
      return (["flowchart LR"] + lines).joined(separator: "\n")
    }
  }

  private static func shape(_ node: Node) -> String {
    switch node {
    case .outside: "doublecircle"
    case .slice: "folder"
    case .action: "plaintext"
    case .effect: "box"
    case .component: "ellipse"
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: " ") + "\""
  }

  private static func mermaid(_ node: Node) -> String {
    let text = "\"" + node.label.replacing("\"", with: "#quot;").replacing("\n", with: " ") + "\""
    return switch node {
    case .outside: "((\(text)))"
    case .slice: "[(\(text))]"
    case .action: ">\(text)]"
    case .effect: "[\(text)]"
    case .component: "(\(text))"
    }
  }
}
