import MillraceSpelling
import MillraceTesting

/// Spells values as Swift expressions that compile, by reflection.
///
/// Spells numbers, strings, collections, optionals, tuples, ranges, durations, Foundation's data, dates and decimal
/// numbers, enums by their cases, and structs by their memberwise initializers, all nested. A struct of one part that
/// is expressible by a literal is spelled by the literal. A ``SwiftSourceConvertible`` value spells itself.
///
/// Other values become a placeholder, `<#its description#>`, for a person to fill in: instances of classes, functions,
/// structs without visible parts, and enums that describe themselves and have neither a raw value nor a list of cases.
/// A struct is spelled by a memberwise initializer even if it has another one instead.
///
/// A type is written with all of its arguments, so that the compiler knows the type of each part and a case needs no
/// type. Reflection does not show that a part is declared as `any Error`, so a case of an error has its type. A case in
/// a part declared as `any` of another protocol has to be ``SwiftSourceConvertible``.
enum SourceText {
  /// A value where the compiler expects a type: `.queryChanged("a")`.
  ///
  /// - Parameter expected: the expected type. If the value is of another type, the text has that type.
  static func value<Value, Expected>(_ value: Value, as expected: Expected.Type) -> String {
    text(value, isTyped: type(of: value as Any) == Expected.self)
  }

  /// A value where the compiler expects no type: `Search.State(query: "a")`.
  static func value(_ value: Any) -> String { text(value, isTyped: false) }

  private static func text(_ value: Any, isTyped: Bool) -> String {
    let mirror = Mirror(reflecting: value)
    let parts = mirror.children
    switch mirror.displayStyle {
    case .optional: return optionalText(value, parts.first?.value, isTyped: isTyped)
    case _ where value is any SwiftSourceConvertible:
      return (value as? any SwiftSourceConvertible)?.source ?? ""
    case _ where (value as? any BareCases)?.bareCase != nil:
      return "\(name(of: value)).\((value as? any BareCases)?.bareCase ?? "")"
    case _ where type(of: value) == AnyHashable.self:
      return "AnyHashable(\((value as? AnyHashable).map { text($0.base, isTyped: false) } ?? ""))"
    case .collection, .set:
      if let known = foundationText(value, mirror) { return known }
      let elements = parts.map { text($0.value, isTyped: true) }
      let inOrder = mirror.displayStyle == .set ? elements.sorted() : elements
      return typed("[\(inOrder.joined(separator: ", "))]", value, isTyped)
    case .dictionary:
      let pairs = parts.map { pair in
        Mirror(reflecting: pair.value).children.map { text($0.value, isTyped: true) }.joined(separator: ": ")
      }
      return typed(pairs.isEmpty ? "[:]" : "[\(pairs.sorted().joined(separator: ", "))]", value, isTyped)
    case .tuple: return list(parts, isTyped: isTyped)
    case .enum: return enumText(value, parts, isTyped: isTyped)
    default:
      return scalar(value, isTyped: isTyped) ?? foundationText(value, mirror)
        ?? literal(value, parts, isTyped: isTyped) ?? structText(value, mirror)
    }
  }

  /// Writes an optional explicitly if a bare value would mean something else: around a `nil`, and around a case that is
  /// called `none` or `some`.
  private static func optionalText(_ value: Any, _ wrapped: Any?, isTyped: Bool) -> String {
    guard let wrapped else { return isTyped ? "nil" : "\(name(of: value)).none" }
    let text = text(wrapped, isTyped: isTyped)
    if !isTyped { return "Optional(\(text))" }
    return ["nil", ".none"].contains(text) || text.hasPrefix(".some(") ? ".some(\(text))" : text
  }

  private static func name(of value: Any) -> String { Spelling.source(of: type(of: value)) }

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

  /// A known value of the standard library; `nil` for others.
  private static func scalar(_ value: Any, isTyped: Bool) -> String? {
    switch value {
    case let string as String: return Spelling.quoted(string)
    case let string as Substring: return typed(Spelling.quoted(String(string)), value, isTyped)
    case let character as Character: return typed(Spelling.quoted(String(character)), value, isTyped)
    case let scalar as Unicode.Scalar: return typed(Spelling.quoted(String(scalar)), value, isTyped)
    case is Bool, is Int: return "\(value)"
    case let number as any BinaryInteger: return isTyped ? "\(number)" : "\(name(of: value))(\(number))"
    case let number as any BinaryFloatingPoint: return floating(number, isTyped: isTyped)
    case let duration as Duration:
      let (seconds, attoseconds) = duration.components
      if attoseconds == 0 { return "Duration.seconds(\(seconds))" }
      return "Duration(secondsComponent: \(seconds), attosecondsComponent: \(attoseconds))"
    default: break
    }
    let range = ["Range": "..<", "ClosedRange": "..."][name(of: value).prefix { $0 != "<" }]
    return range.map { range in
      Mirror(reflecting: value).children.map { text($0.value, isTyped: isTyped) }.joined(separator: range)
    }
  }

  /// A known value of Foundation; `nil` for others. Compares names of types, since this module does not import
  /// Foundation.
  private static func foundationText(_ value: Any, _ mirror: Mirror) -> String? {
    let type = String(reflecting: Swift.type(of: value))
    guard let name = ["Foundation.", "FoundationEssentials."].first(where: type.hasPrefix) else { return nil }
    let quoted = Spelling.quoted("\(value)")
    switch type.dropFirst(name.count) {
    case "URL": return "URL(string: \(quoted))!"
    case "UUID": return "UUID(uuidString: \(quoted))!"
    case "Decimal": return "\(value)" == "NaN" ? "Decimal.nan" : "Decimal(string: \(quoted))!"
    case "Data": return (value as? any Sequence).map { "Data(\(bytes(of: $0)))" }
    case "Date":
      let seconds = mirror.children.first { $0.label == "timeIntervalSinceReferenceDate" }?.value
      return seconds.map { "Date(timeIntervalSinceReferenceDate: \($0))" }
    default: return nil
    }
  }

  private static func bytes(of data: some Sequence) -> String {
    "[\(data.map { "\($0)" }.joined(separator: ", "))]"
  }

  /// The literal of the only part of a struct, if it makes an equal value; `nil` otherwise.
  private static func literal(_ value: Any, _ parts: Mirror.Children, isTyped: Bool) -> String? {
    guard parts.count == 1, let part = parts.first?.value else { return nil }
    var again: Any?
    if let part = part as? String, let value = value as? any ExpressibleByStringLiteral {
      again = made(value, of: part)
    } else if let part = part as? Int, let value = value as? any ExpressibleByIntegerLiteral {
      again = made(value, of: part)
    } else if let part = part as? Double, let value = value as? any ExpressibleByFloatLiteral {
      again = made(value, of: part)
    }
    guard let again, Equality.of(again, value) == true else { return nil }
    return typed(text(part, isTyped: true), value, isTyped)
  }

  private static func made<Value: ExpressibleByStringLiteral>(_: Value, of part: String) -> Value? {
    (part as? Value.StringLiteralType).map(Value.init(stringLiteral:))
  }

  private static func made<Value: ExpressibleByIntegerLiteral>(_: Value, of part: Int) -> Value? {
    (part as? Value.IntegerLiteralType).map(Value.init(integerLiteral:))
  }

  private static func made<Value: ExpressibleByFloatLiteral>(_: Value, of part: Double) -> Value? {
    (part as? Value.FloatLiteralType).map(Value.init(floatLiteral:))
  }

  private static func floating<Number: BinaryFloatingPoint>(_ number: Number, isTyped: Bool) -> String {
    let type = Spelling.name(of: Number.self)
    if number.isNaN { return "\(type).nan" }
    if number.isInfinite { return "\(number < 0 ? "-" : "")\(type).infinity" }
    return isTyped || Number.self == Double.self ? "\(number)" : "\(type)(\(number))"
  }

  // MARK: The program's types

  private static func enumText(_ value: Any, _ parts: Mirror.Children, isTyped: Bool) -> String {
    let type = isTyped && !(value is any Error) ? "" : name(of: value)
    if let held = parts.first, let label = held.label {
      let holdsMany = Mirror(reflecting: held.value).displayStyle == .tuple
      let text = text(held.value, isTyped: true)
      return "\(type).\(label)" + (holdsMany ? text : "(\(text))")
    }
    guard value is any CustomStringConvertible || value is any CustomDebugStringConvertible else {
      return "\(type).\(value)"
    }
    if let value = value as? any RawRepresentable {
      return "\(name(of: value))(rawValue: \(text(rawValue(of: value), isTyped: true)))!"
    }
    guard let listed = value as? any CaseIterable, let place = place(of: listed) else {
      return placeholder(value)
    }
    return "\(name(of: value)).allCases[\(place)]"
  }

  /// The index of a case among all cases, for an enum that describes itself.
  private static func place<Value: CaseIterable>(of value: Value) -> Int? {
    guard let cases = Value.allCases as? [Value] else { return nil }
    return cases.indices.first { Equality.of(cases[$0] as Any, value as Any) == true }
  }

  private static func rawValue(of value: some RawRepresentable) -> Any { value.rawValue }

  private static func structText(_ value: Any, _ mirror: Mirror) -> String {
    guard mirror.displayStyle == .struct else { return placeholder(value) }
    let describesItself = value is any CustomStringConvertible || value is any CustomDebugStringConvertible
    if mirror.children.isEmpty, describesItself { return placeholder(value) }
    let type = String(reflecting: type(of: value)).prefix { $0 != "<" }
    return name(of: value) + list(mirror.children, isTyped: true, unlabelled: unlabelled[type] ?? 0)
  }

  /// The library's initializers that are not memberwise: the number of leading parameters without a label.
  private static let unlabelled: [Substring: Int] = [
    "MillraceEffects.TimerRequest": 2, "MillraceHTTP.WebSocketOutgoing": 2,
    "MillraceSystem.FolderWatchRequest": 1, "MillraceSystem.InputLine": 1,
    "MillraceSystem.SubprocessLine": 2, "MillraceSystem.SubprocessRequest": 3,
    "MillraceSystem.WallClockSchedule.TimeOfDay": 3, "MillraceSystem.WallClockTimerRequest": 2,
  ]

  private static func placeholder(_ value: Any) -> String { "<#\(value)#>" }
}
