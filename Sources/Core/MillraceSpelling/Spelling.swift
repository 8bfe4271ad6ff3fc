/// Spells types and values of the program as a person would write them, for lists and messages.
package enum Spelling {
  /// A type without its module, for people: `Search.Action`, `[String?]`.
  ///
  /// The name leaves out arguments from the standard library, and clocks, which are recognized by their names. So an
  /// effect is `Debounced<SearchEffect>` with the program's clock and with a test's.
  package static func name(of type: Any.Type) -> String { spelled(type, isWhole: false) }

  /// A type without its module, with all of its arguments, as it is written in Swift: `TimerRequest<String>`.
  package static func source(of type: Any.Type) -> String { spelled(type, isWhole: true) }

  private static func spelled(_ type: Any.Type, isWhole: Bool) -> String {
    var rest = Substring(String(reflecting: type))
    // A function type is spelled as the compiler does.
    return rest.contains("->") ? "\(type)" : takeType(&rest, isWhole: isWhole).name
  }

  /// Takes one type from the beginning of a qualified spelling.
  ///
  /// - Returns: its name, and whether the name distinguishes types that have this one as an argument.
  private static func takeType(_ rest: inout Substring, isWhole: Bool) -> (name: String, tells: Bool) {
    if rest.first == "(" { return takeTuple(&rest, isWhole: isWhole) }
    let isStandard = rest.hasPrefix("Swift.")
    var (tells, isClock) = (!isStandard, false)
    var path: [String] = []
    repeat {
      if !path.isEmpty { rest = rest.dropFirst() }
      let component = takeComponent(&rest)
      isClock = component.hasSuffix("Clock")
      var arguments: [String] = []
      if rest.first == "<" {
        repeat {
          rest = rest.dropFirst().drop { $0 == " " }
          let argument = takeType(&rest, isWhole: isWhole)
          if isStandard || isWhole || argument.tells { arguments.append(argument.name) }
          tells = tells || argument.tells
        } while rest.first == ","
        rest = rest.dropFirst()
      }
      // A private type has a component in parentheses, without a name.
      if component.first != "(" { path.append(spelled(component, arguments)) }
    } while rest.first == "."
    return (path.dropFirst(path.count > 1 ? 1 : 0).joined(separator: "."), tells && !isClock)
  }

  /// Takes a name, or a component in parentheses.
  private static func takeComponent(_ rest: inout Substring) -> String {
    let end = rest.first == "(" ? ")" : ".<>,)"
    var component = rest.prefix { !end.contains($0) }
    if end == ")", component.endIndex < rest.endIndex { component = rest[...component.endIndex] }
    rest = rest[component.endIndex...]
    return String(component)
  }

  private static func takeTuple(_ rest: inout Substring, isWhole: Bool) -> (name: String, tells: Bool) {
    var (parts, tells): ([String], Bool) = ([], false)
    repeat {
      rest = rest.dropFirst().drop { $0 == " " }
      if rest.first == ")" { break }
      let label = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      let isLabelled = rest.dropFirst(label.count).hasPrefix(": ")
      if isLabelled { rest = rest.dropFirst(label.count + 2) }
      let part = takeType(&rest, isWhole: isWhole)
      parts.append(isLabelled ? "\(label): \(part.name)" : part.name)
      tells = tells || part.tells
    } while rest.first == ","
    rest = rest.dropFirst()
    return ("(\(parts.joined(separator: ", ")))", tells)
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

  /// A value's type and case, without associated values: `AppAction.search(.arrived)`.
  package static func kind(of value: Any) -> String { name(of: type(of: value)) + caseName(of: value) }

  private static func caseName(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum else { return "" }
    guard let held = mirror.children.first, let label = held.label else { return ".\(value)" }
    let inner = caseName(of: held.value)
    return inner.isEmpty ? ".\(label)" : ".\(label)(\(inner))"
  }

  /// A value with its contents, each type without its module and arguments: `Page(number: 3, order: .newest)`. Values
  /// with a description of their own are spelled by it.
  ///
  /// - Parameters:
  ///   - elements: the number of elements of each collection to spell; the others are counted.
  ///   - characters: the approximate length at which the text is cut; the rest of the value is not read.
  ///   - lookingIntoObjects: whether instances of classes are spelled with their contents. Reads them without a lock,
  ///     so only for objects that nothing changes meanwhile.
  package static func text(
    of value: Any, elements: Int = .max, characters: Int = .max, lookingIntoObjects: Bool = false
  ) -> String {
    var spelled = SpelledValue(
      elements: elements, characters: characters, looksIntoObjects: lookingIntoObjects)
    spelled.append(value)
    return spelled.text
  }
}
