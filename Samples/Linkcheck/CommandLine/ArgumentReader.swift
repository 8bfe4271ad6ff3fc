/// Takes words off a command line.
struct ArgumentReader {
  enum Word: Equatable {
    case option(String)
    case operand(String)
  }

  private var rest: ArraySlice<String>
  /// What is attached to an option, as in `--jobs=4` and `-j4`, until somebody takes it.
  private var attached: (option: String, value: String)?
  private var hasOptions = true

  init(_ arguments: [String]) { rest = arguments[...] }

  /// The next option, without a value that is attached to it, or the next operand.
  mutating func next() throws(UsageError) -> Word? {
    if let attached { throw UsageError("\(attached.option) takes no value") }
    guard let word = rest.popFirst() else { return nil }
    if hasOptions, word == "--" {
      hasOptions = false
      return try next()
    }
    guard hasOptions, word.hasPrefix("-"), word != "-" else { return .operand(word) }
    if !word.hasPrefix("--"), word.count > 2 {
      attached = (String(word.prefix(2)), String(word.dropFirst(2)))
      return .option(String(word.prefix(2)))
    }
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return .option(word) }
    let name = String(word[..<equals])
    attached = (name, String(word[word.index(after: equals)...]))
    return .option(name)
  }

  /// The value of the option that was just read.
  mutating func value(of option: String) throws(UsageError) -> String {
    let value: String?
    if let attached {
      value = attached.value
      self.attached = nil
    } else if let word = rest.first, !word.hasPrefix("-") || word == "-" {
      value = rest.popFirst()
    } else {
      value = nil
    }
    guard let value, !value.isEmpty else { throw UsageError("\(option) needs a value") }
    return value
  }

  /// A whole number as the value of the option.
  mutating func number(of option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int {
    let text = try value(of: option)
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "\(option) takes a number from \(range.lowerBound) to \(range.upperBound), not “\(text)”")
    }
    return number
  }

  /// A number of seconds as the value of the option.
  mutating func seconds(of option: String) throws(UsageError) -> Double {
    let text = try value(of: option)
    guard let seconds = Double(text), seconds > 0, seconds <= 3600 else {
      throw UsageError("\(option) takes a number of seconds above 0 and up to 3600, not “\(text)”")
    }
    return seconds
  }
}
