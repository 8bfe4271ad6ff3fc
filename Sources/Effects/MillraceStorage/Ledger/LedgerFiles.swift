import Foundation

/// The file of a ledger. Nothing is done because of a record before the record is on the medium.
struct LedgerFiles<Request: Sendable> {
  private let format: StorageFormat<Request>
  private let remembered: Int
  private var file: NamedLog
  private var book: LedgerBook?
  private var damaged: [DamagedFile] = []
  /// The records of ends that could not be written.
  private var unwritten: [LedgerRecord] = []

  init(_ path: String, format: StorageFormat<Request>, remembering remembered: Int, disk: any Disk) {
    self.format = format
    self.remembered = remembered
    file = NamedLog(path, magic: "MRL2", disk: disk)
  }

  /// Releases the lock. The next call opens the ledger again.
  mutating func close() {
    file.close()
    (book, damaged, unwritten) = (nil, [], [])
  }

  /// Returns the interrupted work that was found when the ledger was opened and about which nothing has been decided.
  mutating func open() throws(StorageFailure) -> (
    interrupted: [(request: Request, key: LedgerKey)], damaged: [DamagedFile]
  ) {
    let book = try opened()
    var interrupted: [(request: Request, key: LedgerKey)] = []
    for (key, entry) in book.entries.sorted(by: { $0.key < $1.key }) where entry.isInherited {
      if entry.end == nil { interrupted.append((try request(of: entry), key)) }
    }
    return (interrupted, damaged)
  }

  /// Records that an attempt begins, unless it has begun before.
  mutating func begin(
    _ request: Request, key: LedgerKey, attempt: Int
  ) throws(StorageFailure) -> LedgerBook.Verdict {
    let payload: Data
    do { payload = try format.encode(request) } catch { throw .notEncodable(String(describing: error)) }
    let verdict = try opened().verdict(on: key, attempt: attempt)
    guard verdict == .begun else { return verdict }
    try write(
      LedgerRecord(kind: .begun, key: key, attempt: attempt, version: format.version, payload: payload))
    return verdict
  }

  /// Records that an attempt has ended. If this fails, the next write records it too.
  mutating func end(_ key: LedgerKey, attempt: Int) throws(StorageFailure) {
    guard try opened().isOpen(key, attempt: attempt) else { return }
    let record = LedgerRecord(kind: .ended, key: key, attempt: attempt)
    do throws(StorageFailure) { try write(record) } catch {
      book?.wrote(record)
      unwritten.append(record)
      throw error
    }
  }

  /// Forgets what was begun: an attempt that did not run after all, or all work of the key that has not ended.
  mutating func forget(_ key: LedgerKey, attempt: Int? = nil) throws(StorageFailure) {
    let book = try opened()
    guard book.isOpen(key, attempt: attempt), let entry = book.entries[key] else { return }
    try write(LedgerRecord(kind: .forgotten, key: key, attempt: entry.attempt))
  }

  // MARK: Reading

  private mutating func opened() throws(StorageFailure) -> LedgerBook {
    if let book { return book }
    try file.takeLock()
    var records: [LedgerRecord] = []
    let (format, path) = (format, file.path)
    let scan = try file.scan { record, _ throws(StorageFailure) in
      guard let record = LedgerRecord(record) else { return }
      records.append(record)
      guard record.kind == .begun else { return }
      try StorageFailure.verify(record.version, from: format.oldestVersion, to: format.version, in: path)
    }
    let book = LedgerBook(records, remembering: remembered)
    for entry in book.entries.values where entry.end == nil { _ = try request(of: entry) }
    if let reason = scan?.damage { damaged = [try file.keepAside(reason)] }
    self.book = book
    takeCommands()
    return self.book ?? book
  }

  /// Forgets the interrupted work that a command from outside dismisses. A command whose result is not on disk stays.
  private mutating func takeCommands() {
    let folder = CommandFolder(of: file.path, disk: file.disk)
    for command in folder.contents().commands {
      guard case .dismiss(let key, let attempt) = command.change else { continue }
      do throws(StorageFailure) { try forget(LedgerKey(key), attempt: attempt) } catch { return }
      folder.remove([command.name])
    }
  }

  private func request(of entry: LedgerBook.Entry) throws(StorageFailure) -> Request {
    do { return try format.decode(entry.payload, entry.version) } catch {
      throw .notMigratable(file.path, from: entry.version, reason: String(describing: error))
    }
  }

  // MARK: Writing

  private mutating func write(_ record: LedgerRecord) throws(StorageFailure) {
    var book = try opened()
    self.book = nil  // the only reference, so that nothing is copied
    defer { self.book = book }
    try prepare(&book)
    let records = unwritten + [record]
    _ = try file.append { batch throws(StorageFailure) in
      for record in records { _ = try batch.add(record.logRecord) }
    }
    unwritten = []
    book.wrote(record)
    // Without room for a second file, the old file continues to grow.
    if book.isWorthCompacting { try? rewrite(&book) }
  }

  /// Verifies that records can be added to the file, and rewrites it first where needed.
  private mutating func prepare(_ book: inout LedgerBook) throws(StorageFailure) {
    switch try file.fate() {
    case .same: break
    case .mustBeRewritten: try rewrite(&book)
    case .cut(let reason):
      // The book contains everything that was in the file.
      damaged.append(try file.keepAside(reason))
      try rewrite(&book)
    }
    try file.syncFolder()
  }

  /// Replaces the file by a new one.
  private mutating func rewrite(_ book: inout LedgerBook) throws(StorageFailure) {
    let (records, compacted) = book.compacted()
    try file.install { batch throws(StorageFailure) in
      for record in records { _ = try batch.add(record.logRecord) }
    }
    book = compacted
    unwritten = []
  }
}
