/// The task of the program.
enum Command: Equatable {
  case check(CheckOptions)
  case serve(ServeOptions)
  case help
  case version
}

struct CheckOptions: Equatable {
  /// A path or a URL; `nil` is the demo site.
  var target: String?
  var isOffline = false
  var isJSON = false
  var jobs = 6
  var timeoutInSeconds = 10.0
  var largestPage = 2 << 20
  var progress = ProgressPlace.standard
  /// Whether stored progress is thrown away.
  var startsOver = false
  /// The largest age of a stored finding that is reused.
  var longestAgeInHours = 24
  /// The delay of each answer of the demo site.
  var demoDelayInMilliseconds = 0
  /// The file to record the check to.
  var trace: String?
}

struct ServeOptions: Equatable {
  var port: UInt16 = 0
  var demoDelayInMilliseconds = 0
}

/// The place of the progress file.
enum ProgressPlace: Equatable {
  /// In the user's folder for caches, under a name made of the target.
  case standard
  case file(String)
  case nowhere
}

/// The reason why a command line is refused, in one line.
struct UsageError: Error, Equatable, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

extension Command {
  /// Reads the words after the program's name.
  init(_ arguments: [String]) throws(UsageError) {
    var reader = ArgumentReader(arguments)
    var options = CheckOptions()
    var port: UInt16?
    var serves = false
    var checkOnly: String?
    while let word = try reader.next() {
      switch word {
      case .operand(let text):
        guard options.target == nil else { throw UsageError("more than one target: “\(text)”") }
        guard !text.isEmpty else { throw UsageError("the target is empty") }
        options.target = text
      case .option("--help"), .option("-h"):
        self = .help
        return
      case .option("--version"):
        self = .version
        return
      case .option("--serve"):
        serves = true
      case .option("--port"):
        port = UInt16(try reader.number(of: "--port", in: 0...65535))
      case .option("--slow-demo"):
        options.demoDelayInMilliseconds = try reader.number(of: "--slow-demo", in: 0...60_000)
      case .option(let name):
        checkOnly = name
        try options.read(name, from: &reader)
      }
    }
    guard serves else {
      if port != nil { throw UsageError("--port goes with --serve") }
      self = .check(options)
      return
    }
    if let checkOnly { throw UsageError("\(checkOnly) does not go with --serve") }
    if let target = options.target { throw UsageError("--serve takes no target: “\(target)”") }
    self = .serve(ServeOptions(port: port ?? 0, demoDelayInMilliseconds: options.demoDelayInMilliseconds))
  }
}

extension CheckOptions {
  fileprivate mutating func read(_ name: String, from reader: inout ArgumentReader) throws(UsageError) {
    switch name {
    case "--offline": isOffline = true
    case "--json": isJSON = true
    case "--jobs", "-j": jobs = try reader.number(of: name, in: 1...64)
    case "--timeout": timeoutInSeconds = try reader.seconds(of: name)
    case "--max-size": largestPage = try reader.number(of: name, in: 1...(1 << 30))
    case "--progress": progress = .file(try reader.value(of: name))
    case "--no-progress": progress = .nowhere
    case "--start-over": startsOver = true
    case "--max-age": longestAgeInHours = try reader.number(of: name, in: 0...8760)
    case "--trace": trace = try reader.value(of: name)
    default: throw UsageError("unknown option: \(name)")
    }
  }
}
