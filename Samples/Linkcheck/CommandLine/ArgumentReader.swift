/// Reads the words of a command line one by one.
struct ArgumentReader {
  enum Word: Equatable {
    case option(String)
    case operand(String)
  }

  private var rest: ArraySlice<String>
  /// The value attached to an option, as in `--jobs=4` and `-j4`, until it is taken.
  private var attached: (option: String, value: String)?
  private var hasOptions = true

  init(_ arguments: [String]) { rest = arguments[...] }

  /// The next option, without an attached value, or the next operand.
  mutating func next() throws(UsageError) -> Word? {
    if let attached { throw UsageError("\(attached.option) takes no value") }
    guard let word = rest.popFirst() else { return nil }
    if hasOptions, word == "--" {
      hasOptions = false
      return try next()
    }
    guard hasOptions, word.isOption else { return .operand(word) }
    if !word.utf8.starts(with: "--".utf8) {
      let option = String(word.unicodeScalars.prefix(2))
      guard word.unicodeScalars.count > 2 else { return .option(option) }
      attached = (option, String(word.unicodeScalars.dropFirst(2)))
      return .option(option)
    }
    guard let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")) else { return .option(word) }
    let name = String(word[..<equals])
    attached = (name, String(word[word.utf8.index(after: equals)...]))
    return .option(name)
  }

  /// The value of the option that was just read.
  mutating func value(of option: String) throws(UsageError) -> String {
    let value: String?
    if let attached {
      value = attached.value
      self.attached = nil
    } else if let word = rest.first, !word.isOption {
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

extension String {
  /// Whether the word begins with a dash and has more characters. Compares bytes, like the rest of the command line.
  fileprivate var isOption: Bool { utf8.first == UInt8(ascii: "-") && utf8.count > 1 }
}
