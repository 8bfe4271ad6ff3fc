import Foundation

/// The file of a ledger. Every record is on the medium before anything is done because of it.
struct LedgerFiles<Request: Sendable> {
  /// What was found when the ledger was opened, as far as nobody has decided about it since.
  struct Opening: Sendable {
    var interrupted: [(request: Request, key: String)]
    var damaged: [DamagedFile]
  }

  private let disk: any Disk
  private let path: String
  private let format: StorageFormat<Request>
  private let remembered: Int
  private var lock: DiskLock?
  private var book: LedgerBook?
  private var damaged: [DamagedFile] = []
  /// Whether nothing may be added to the file as it is.
  private var needsRewriting = false

  init(_ path: String, format: StorageFormat<Request>, remembering remembered: Int, disk: any Disk) {
    self.path = path
    self.format = format
    self.remembered = remembered
    self.disk = disk
  }

  /// Gives up the lock; whatever comes next opens the ledger again.
  mutating func close() {
    (lock, book, damaged) = (nil, nil, [])
  }

  mutating func open() throws(StorageFailure) -> Opening {
    let book = try opened()
    var interrupted: [(request: Request, key: String)] = []
    for (key, entry) in book.entries.sorted(by: { $0.key < $1.key }) where entry.isInherited {
      if entry.end == nil { interrupted.append((try request(of: entry), key)) }
    }
    return Opening(interrupted: interrupted, damaged: damaged)
  }

  /// Writes down that an attempt begins, unless it has before.
  mutating func begin(
    _ request: Request, key: String, attempt: Int
  ) throws(StorageFailure) -> LedgerBook.Verdict {
    let payload: Data
    do { payload = try format.encode(request) } catch { throw .notEncodable(String(describing: error)) }
    let verdict = try opened().verdict(on: key, attempt: attempt)
    guard verdict == .begun else { return verdict }
    try write(
      LedgerRecord(
        number: 0, kind: .begun, key: key, attempt: attempt, version: format.version, payload: payload))
    return verdict
  }

  /// Writes down that an attempt has ended. Where this fails, it is written with whatever is written next.
  mutating func end(_ key: String, attempt: Int) throws(StorageFailure) {
    guard try opened().isOpen(key, attempt: attempt) else { return }
    let record = LedgerRecord(number: 0, kind: .ended, key: key, attempt: attempt)
    do throws(StorageFailure) { try write(record) } catch {
      book?.wrote(record)
      throw error
    }
  }

  /// Forgets what was begun: an attempt that has not come to it after all, or all that has not ended.
  mutating func forget(_ key: String, attempt: Int? = nil) throws(StorageFailure) {
    let book = try opened()
    guard book.isOpen(key, attempt: attempt), let entry = book.entries[key] else { return }
    try write(LedgerRecord(number: 0, kind: .forgotten, key: key, attempt: entry.attempt))
  }

  // MARK: Reading

  private mutating func opened() throws(StorageFailure) -> LedgerBook {
    if let book { return book }
    if lock == nil { lock = try disk.lock(path + ".lock") }
    guard let bytes = try disk.contents(of: path) else {
      let book = LedgerBook(remembering: remembered)
      (self.book, needsRewriting) = (book, true)
      return book
    }
    let log = LedgerLog(bytes)
    guard log.isRecognised else { throw .foreignFile(path) }
    try disk.remove(path + ".new")  // what a rewriting that was broken off has left
    try verifyVersions(of: log)
    let book = LedgerBook(log.records, remembering: remembered)
    for entry in book.entries.values where entry.end == nil { _ = try request(of: entry) }
    needsRewriting = log.isTorn
    if let reason = log.damage {
      let name = disk.freeName(forDamaged: path)
      try disk.link(path, to: name)
      do throws(StorageFailure) { self.book = try rewritten(book) } catch {
        try? disk.remove(name)  // the file is still where it was
        throw error
      }
      damaged = [DamagedFile(path: path, setAsideAs: name, reason: reason)]
    } else {
      self.book = book
    }
    return self.book ?? book
  }

  private func verifyVersions(of log: LedgerLog) throws(StorageFailure) {
    let versions = log.records.filter { $0.kind == .begun }.map(\.version)
    if let newest = versions.max(), newest > format.version {
      throw .newerVersion(path, found: newest, known: format.version)
    }
    if let oldest = versions.min(), oldest < format.oldestVersion {
      throw .notMigratable(
        path, from: oldest, reason: "the oldest known version is \(format.oldestVersion)")
    }
  }

  private func request(of entry: LedgerBook.Entry) throws(StorageFailure) -> Request {
    do { return try format.decode(entry.payload, entry.version) } catch {
      throw .notMigratable(path, from: entry.version, reason: String(describing: error))
    }
  }

  // MARK: Writing

  private mutating func write(_ record: LedgerRecord) throws(StorageFailure) {
    var book = try opened()
    self.book = nil  // the only reference, so that nothing is copied
    defer { self.book = book }
    if needsRewriting || !disk.exists(path) { book = try rewritten(book) }
    var record = record
    record.number = book.recordCount
    do throws(StorageFailure) { try disk.append(record.bytes, to: path) } catch {
      // A part of it may be there.
      needsRewriting = true
      throw error
    }
    book.wrote(record)
    // Where there is no room for a second file, the first goes on growing.
    if book.isWorthCompacting, let compacted = try? rewritten(book) { book = compacted }
  }

  /// Puts a new file in the place of the old one.
  private mutating func rewritten(_ book: LedgerBook) throws(StorageFailure) -> LedgerBook {
    let (records, book) = book.compacted()
    do throws(StorageFailure) {
      try disk.write(records.reduce(into: Data()) { $0 += $1.bytes }, to: path + ".new")
      try disk.rename(path + ".new", to: path)
    } catch {
      try? disk.remove(path + ".new")
      throw error
    }
    needsRewriting = true
    try disk.syncFolder(of: path)
    needsRewriting = false
    return book
  }
}
