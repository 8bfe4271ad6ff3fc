import Millrace

/// Values as expressions in Swift, found by reflection.
///
/// Spells numbers, strings, collections, optionals, tuples, ranges, durations, enums by their cases, and structs by their
/// memberwise initializers, all of them nested. What has no such spelling becomes a placeholder, `<#its description#>`,
/// for a person to fill in: instances of classes, functions, enums that describe themselves and have no raw value, and
/// structs without visible parts. A struct whose initializer is not the memberwise one is spelled as if it were.
enum SourceText {
  /// A value where its type is expected: `.queryChanged("a")`.
  ///
  /// - Parameter expected: the type that the compiler expects there; for a value of another one, the type is written.
  static func value<Value, Expected>(_ value: Value, as expected: Expected.Type) -> String {
    text(value, isTyped: type(of: value as Any) == Expected.self)
  }

  /// A value where nothing tells its type: `Search.State(query: "a")`.
  static func value(_ value: Any) -> String { text(value, isTyped: false) }

  private static func text(_ value: Any, isTyped: Bool) -> String {
    let mirror = Mirror(reflecting: value)
    let parts = mirror.children
    switch mirror.displayStyle {
    case .optional:
      guard let wrapped = parts.first?.value else { return isTyped ? "nil" : "\(name(of: value)).none" }
      return isTyped ? text(wrapped, isTyped: true) : "Optional(\(text(wrapped, isTyped: false)))"
    case .collection, .set:
      return typed("[\(parts.map { text($0.value, isTyped: true) }.joined(separator: ", "))]", value, isTyped)
    case .dictionary:
      let pairs = parts.map { pair in
        Mirror(reflecting: pair.value).children.map { text($0.value, isTyped: true) }.joined(separator: ": ")
      }
      return typed(pairs.isEmpty ? "[:]" : "[\(pairs.sorted().joined(separator: ", "))]", value, isTyped)
    case .tuple: return list(parts, isTyped: isTyped)
    case .enum: return enumText(value, parts, isTyped: isTyped)
    default: return scalar(value, isTyped: isTyped) ?? structText(value, mirror)
    }
  }

  private static func name(of value: Any) -> String { Spelling.name(of: type(of: value)) }

  private static func typed(_ literal: String, _ value: Any, _ isTyped: Bool) -> String {
    isTyped ? literal : "\(literal) as \(name(of: value))"
  }

  private static func list(_ parts: Mirror.Children, isTyped: Bool, unlabelled: Int = 0) -> String {
    let items = parts.enumerated().map { index, part in
      let isUnlabelled = index < unlabelled || part.label?.hasPrefix(".") != false
      let label = isUnlabelled ? "" : "\(part.label ?? ""): "
      return label + text(part.value, isTyped: isTyped)
    }
    return "(\(items.joined(separator: ", ")))"
  }

  // MARK: Values without parts

  /// A value of the standard library, or of Foundation, that is known; `nil` for others.
  private static func scalar(_ value: Any, isTyped: Bool) -> String? {
    switch value {
    case is String, is Substring: return String(reflecting: value)
    case is Character: return isTyped ? String(reflecting: value) : "Character(\(String(reflecting: value)))"
    case is Bool, is Int: return "\(value)"
    case let number as any BinaryInteger: return isTyped ? "\(number)" : "\(name(of: value))(\(number))"
    case let number as any BinaryFloatingPoint: return floating(number, isTyped: isTyped)
    case let duration as Duration:
      let (seconds, attoseconds) = duration.components
      if attoseconds == 0 { return "Duration.seconds(\(seconds))" }
      return "Duration(secondsComponent: \(seconds), attosecondsComponent: \(attoseconds))"
    default: break
    }
    switch name(of: value).prefix(while: { $0 != "<" }) {
    case "Range", "ClosedRange": return "\(value)"
    case "URL": return "URL(string: \(String(reflecting: "\(value)")))!"
    case "UUID": return "UUID(uuidString: \(String(reflecting: "\(value)")))!"
    default: return nil
    }
  }

  private static func floating<Number: BinaryFloatingPoint>(_ number: Number, isTyped: Bool) -> String {
    let type = Spelling.name(of: Number.self)
    if number.isNaN { return "\(type).nan" }
    if number.isInfinite { return "\(number < 0 ? "-" : "")\(type).infinity" }
    return isTyped || Number.self == Double.self ? "\(number)" : "\(type)(\(number))"
  }

  // MARK: The program's types

  private static func enumText(_ value: Any, _ parts: Mirror.Children, isTyped: Bool) -> String {
    let type = isTyped ? "" : name(of: value)
    if let held = parts.first, let label = held.label {
      let holdsMany = Mirror(reflecting: held.value).displayStyle == .tuple
      let text = text(held.value, isTyped: true)
      return "\(type).\(label)" + (holdsMany ? text : "(\(text))")
    }
    guard value is any CustomStringConvertible || value is any CustomDebugStringConvertible else {
      return "\(type).\(value)"
    }
    guard let value = value as? any RawRepresentable else { return placeholder(value) }
    return "\(name(of: value))(rawValue: \(text(rawValue(of: value), isTyped: true)))!"
  }

  private static func rawValue(of value: some RawRepresentable) -> Any { value.rawValue }

  private static func structText(_ value: Any, _ mirror: Mirror) -> String {
    guard mirror.displayStyle == .struct else { return placeholder(value) }
    let describesItself = value is any CustomStringConvertible || value is any CustomDebugStringConvertible
    if mirror.children.isEmpty, describesItself { return placeholder(value) }
    let type = initializer(of: name(of: value))
    // The initializer of the library's that is not memberwise.
    if type == "TimerRequest" { return type + list(mirror.children, isTyped: true, unlabelled: 2) }
    return type + list(mirror.children, isTyped: true)
  }

  /// A type as its initializer is called: without arguments of its own, which the compiler infers, and with those of the
  /// type that it is declared in.
  private static func initializer(of type: String) -> Substring {
    guard type.last == ">" else { return type[...] }
    var depth = 0
    let opening = type.lastIndex { character in
      if character == ">" { depth += 1 }
      if character == "<" { depth -= 1 }
      return depth == 0
    }
    return type[..<(opening ?? type.endIndex)]
  }

  private static func placeholder(_ value: Any) -> String { "<#\(value)#>" }
}
