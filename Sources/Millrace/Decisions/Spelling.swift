/// The program's types and values as a person would write them, for lists and messages.
enum Spelling {
  /// A type without its module: `Search.Action`, `[String?]`, `Paged<Row>`.
  static func name(of type: Any.Type) -> String {
    var rest = Substring(String(reflecting: type))
    let name = take(&rest)
    // A function or a tuple within it: as the compiler spells it.
    return name.contains { "()".contains($0) } || !rest.isEmpty ? "\(type)" : name
  }

  /// Takes one type from the beginning of a qualified spelling.
  private static func take(_ rest: inout Substring) -> String {
    var path: [String] = []
    repeat {
      if !path.isEmpty { rest = rest.dropFirst() }
      let component = rest.prefix { !".<>,".contains($0) }
      rest = rest.dropFirst(component.count)
      var arguments: [String] = []
      if rest.first == "<" {
        repeat {
          rest = rest.dropFirst().drop { $0 == " " }
          arguments.append(take(&rest))
        } while rest.first == ","
        rest = rest.dropFirst()
      }
      path.append(spell(String(component), arguments))
    } while rest.first == "."
    path = path.filter { !$0.hasPrefix("(unknown context") }
    return path.dropFirst(path.count > 1 ? 1 : 0).joined(separator: ".")
  }

  private static func spell(_ name: String, _ arguments: [String]) -> String {
    switch (name, arguments.count) {
    case (_, 0): name
    case ("Optional", 1): "\(arguments[0])?"
    case ("Array", 1): "[\(arguments[0])]"
    case ("Dictionary", 2): "[\(arguments[0]): \(arguments[1])]"
    default: "\(name)<\(arguments.joined(separator: ", "))>"
    }
  }

  /// An action's type and case, without what the case holds: `AppAction.search(.arrived)`.
  static func kind(of value: Any) -> String { name(of: type(of: value)) + caseName(of: value) }

  private static func caseName(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum else { return "" }
    guard let held = mirror.children.first, let label = held.label else { return ".\(value)" }
    let inner = caseName(of: held.value)
    return inner.isEmpty ? ".\(label)" : ".\(label)(\(inner))"
  }
}
