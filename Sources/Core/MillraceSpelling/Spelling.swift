/// The program's types and values as a person would write them, for lists and messages.
package enum Spelling {
  /// A type without its module, for people: `Search.Action`, `[String?]`.
  ///
  /// A type of the program's is named without its arguments from the standard library, and without clocks, which are
  /// known by their names: an effect is `Debounced<SearchEffect>` whether it waits on the program's clock or a test's.
  package static func name(of type: Any.Type) -> String { spelled(type, isWhole: false) }

  /// A type without its module, with all of its arguments, as it is written in Swift: `TimerRequest<String>`.
  package static func source(of type: Any.Type) -> String { spelled(type, isWhole: true) }

  private static func spelled(_ type: Any.Type, isWhole: Bool) -> String {
    var rest = Substring(String(reflecting: type))
    // A function: as the compiler spells it.
    return rest.contains("->") ? "\(type)" : takeType(&rest, isWhole: isWhole).name
  }

  /// Takes one type from the beginning of a qualified spelling.
  ///
  /// - Returns: its name, and whether it tells one type that it is an argument of from another.
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
      // In brackets: the place of a private type, which has no name.
      if component.first != "(" { path.append(spelled(component, arguments)) }
    } while rest.first == "."
    return (path.dropFirst(path.count > 1 ? 1 : 0).joined(separator: "."), tells && !isClock)
  }

  /// A name, or what stands in brackets in its place.
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
