import LinkcheckReaders
import MillraceHTTP

/// The target of a check.
enum Target: Equatable {
  case demo
  case site(Address)
  case folder(String)
  case file(String)
}

extension Target {
  /// Decides what an argument means.
  ///
  /// - Parameter kind: returns the kind of file at a path.
  init(_ argument: String?, kind: (String) -> FileKind) throws(UsageError) {
    guard let argument else {
      self = .demo
      return
    }
    if let colon = argument.utf8.firstIndex(of: UInt8(ascii: ":")),
      argument.utf8[colon...].starts(with: "://".utf8)
    {
      let scheme = URLReference(argument).scheme
      guard scheme == "http" || scheme == "https" else {
        throw UsageError("not an http or https URL: \(argument)")
      }
      guard let address = Address(argument) else { throw UsageError("not a URL: \(argument)") }
      self = .site(address)
      return
    }
    switch kind(argument) {
    case .folder:
      self = .folder(argument)
    case .file:
      guard Markup(fileExtension: Address(file: "/" + argument).fileExtension)?.isPage == true
      else {
        throw UsageError("neither Markdown nor HTML, by its name: \(argument)")
      }
      self = .file(argument)
    case .special:
      throw UsageError("neither a file nor a folder: \(argument)")
    case .unreadable(let message):
      throw UsageError("cannot read \(argument): \(message)")
    case .missing:
      throw UsageError(
        "no such file or folder: \(argument) (the URL of a site begins with http:// or https://)")
    }
  }

  /// The scope of the crawl. Relative paths begin at `folder`, the program's working folder.
  func scope(in folder: [UInt8], demoOrigin: String) -> Scope {
    switch self {
    case .demo: Scope(site: Address(demoOrigin + "/")!)  // a constant
    case .site(let address): Scope(site: address)
    case .folder(let path): Scope(folder: Self.place(of: path, in: folder))
    case .file(let path): Scope(file: Self.place(of: path, in: folder))
    }
  }

  private static func place(of path: String, in folder: [UInt8]) -> [UInt8] {
    let path = absolute(path, in: folder)
    return FilePath.withoutLoops(path) ?? path
  }

  static func absolute(_ path: String, in folder: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let bytes = path.utf8.first == slash ? Array(path.utf8) : folder + [slash] + path.utf8
    var file = URLReference("file://")
    file.path = PercentEncoding.encodedPath(bytes)[...]
    return PercentEncoding.decoded(file.resolved(against: file).path)
  }
}

/// Names addresses as the user does: files by paths that begin like the target's path, other addresses by their URLs.
struct AddressNames {
  private let given: String
  private let start: String
  private let isFiles: Bool

  init(target: String, scope: Scope) {
    (given, start, isFiles) = (target, scope.start.text, scope.start.isFile)
  }

  func callAsFunction(_ address: Address) -> String {
    guard isFiles, address.isFile else { return address.text }
    guard address.text.utf8.starts(with: start.utf8) else { return FilePath.text(address.filePath) }
    let rest = FilePath.text(
      PercentEncoding.decoded(Substring(address.text.utf8.dropFirst(start.utf8.count))))
    if rest.isEmpty { return given }
    return given == "." ? rest : given + (given.utf8.last == UInt8(ascii: "/") ? "" : "/") + rest
  }
}
