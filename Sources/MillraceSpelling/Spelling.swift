/// The program's types and values as a person would write them, for lists and messages.
package enum Spelling {
  /// A type without its module: `Search.Action`, `[String?]`.
  ///
  /// A type of the program's is named without its arguments from the standard library: `Debounced<SearchEffect>`, without
  /// its clock.
  package static func name(of type: Any.Type) -> String {
    var rest = Substring(String(reflecting: type))
    let opened = rest.split(separator: "(", omittingEmptySubsequences: false).dropFirst()
    // A function or a tuple within it: as the compiler spells it.
    guard opened.allSatisfy({ $0.hasPrefix("unknown context") }) else { return "\(type)" }
    return takeType(&rest).name
  }

  /// Takes one type from the beginning of a qualified spelling.
  private static func takeType(_ rest: inout Substring) -> (name: String, isStandard: Bool) {
    let isStandard = rest.hasPrefix("Swift.")
    var hasOwn = !isStandard
    var path: [String] = []
    repeat {
      if !path.isEmpty { rest = rest.dropFirst() }
      let component = rest.prefix { !".<>,".contains($0) }
      rest = rest.dropFirst(component.count)
      var arguments: [String] = []
      if rest.first == "<" {
        repeat {
          rest = rest.dropFirst().drop { $0 == " " }
          let argument = takeType(&rest)
          if isStandard || !argument.isStandard { arguments.append(argument.name) }
          hasOwn = hasOwn || !argument.isStandard
        } while rest.first == ","
        rest = rest.dropFirst()
      }
      path.append(spelled(String(component), arguments))
    } while rest.first == "."
    path = path.filter { !$0.hasPrefix("(unknown context") }
    return (path.dropFirst(path.count > 1 ? 1 : 0).joined(separator: "."), !hasOwn)
  }

  private static func spelled(_ name: String, _ arguments: [String]) -> String {
    switch (name, arguments.count) {
    case (_, 0): name
    case ("Optional", 1): "\(arguments[0])?"
    case ("Array", 1): "[\(arguments[0])]"
    case ("Dictionary", 2): "[\(arguments[0]): \(arguments[1])]"
    default: "\(name)<\(arguments.joined(separator: ", "))>"
    }
  }

  /// An action's type and case, without what the case holds: `AppAction.search(.arrived)`.
  package static func kind(of value: Any) -> String { name(of: type(of: value)) + caseName(of: value) }

  private static func caseName(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum else { return "" }
    guard let held = mirror.children.first, let label = held.label else { return ".\(value)" }
    let inner = caseName(of: held.value)
    return inner.isEmpty ? ".\(label)" : ".\(label)(\(inner))"
  }

  /// A value with what it holds, each type without its module and arguments: `Page(number: 3, order: .newest)`. What
  /// describes itself does so.
  ///
  /// - Parameters:
  ///   - elements: how many elements of each collection are spelled; the others are counted.
  ///   - characters: from about how many characters on the text is cut; what follows is not looked at.
  ///   - lookingIntoObjects: whether instances of classes are spelled by what they hold. Reads them without any lock,
  ///     so only for objects that nothing changes meanwhile.
  package static func text(
    of value: Any, elements: Int = .max, characters: Int = .max, lookingIntoObjects: Bool = false
  ) -> String {
    var spelled = SpelledValue(elements: elements, characters: characters, objects: lookingIntoObjects)
    spelled.append(value)
    return spelled.text
  }
}
