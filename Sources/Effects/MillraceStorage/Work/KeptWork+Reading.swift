import Foundation

extension KeptWork {
  /// The date that was added to the JSON of a record.
  private struct Dated: Decodable { let at: Date? }

  /// Reads a file. Costs the size of the file. May be called while a program writes to it.
  ///
  /// - Throws: the reason why the file cannot be read, or that its kind is unknown. A damaged file is read as far as
  ///   possible.
  public init(contentsOf path: String) throws(StorageFailure) {
    let disk = PosixDisk()
    var (attempt, hasChanged) = (0, false)
    // Before the file, so that a command taken up meanwhile is in both.
    let asked = CommandFolder(of: path).contents()
    repeat {
      guard let file = try disk.open(path, O_RDONLY) else {
        throw .unreadable("there is no file: \(path)", errorNumber: ENOENT)
      }
      let before = try file.identity()
      try self.init(path, file)
      (attempt, hasChanged) = (attempt + 1, try disk.identity(of: path) != before)
      // A write in progress can look like damage.
    } while damage != nil && hasChanged && attempt < 10
    (commands, others) = (asked.commands, asked.others)
  }

  private init(_ path: String, _ file: PosixFile) throws(StorageFailure) {
    (self.path, kind) = (path, .journal)
    let magic = try file.read(at: 0, count: 4)
    var values: [Data: Data] = [:]
    var book = LedgerBook(remembering: .max)
    switch String(decoding: magic, as: UTF8.self) {
    case "MRJ1": break
    case "MRL2": kind = .ledger
    default: throw .unreadable("no outbox, journal or ledger: \(path)", errorNumber: EINVAL)
    }
    damage = try LogScan(file, magic: magic) { record, _ throws(StorageFailure) in
      switch record.kind {
      case .set: values[record.key] = record.payload
      case .removed: values[record.key] = nil
      default: if let record = LedgerRecord(record) { book.wrote(record) }
      }
    }.damage?.words
    for (key, work) in book.entries where work.end == nil {
      var entry = Entry(key.text, AnyJSON(work.payload))
      (entry.condition, entry.attempts) = (.begun, work.attempt)
      entries.append(entry)
    }
    ended = book.entries.count - entries.count
    take(values)
  }

  /// Takes over the records of a journal. A journal with keys of another type than an outbox's is no outbox.
  private mutating func take(_ values: [Data: Data]) {
    let decoder = JSONDecoder()
    let keys = values.keys.compactMap { data in
      (try? decoder.decode(OutboxRecordKey<AnyJSON>.self, from: data)).map { (key: $0, data: data) }
    }
    guard !values.isEmpty, keys.count == values.count else {
      entries += values.map { Entry(AnyJSON($0).text, AnyJSON($1)) }
      entries.sort { $0.key < $1.key }
      return
    }
    kind = .outbox
    var (named, found): ([String: Lane], [OutboxKey: (place: Int, entry: Entry)]) = ([:], [:])
    var statuses: [OutboxKey: (OutboxStatus, Date?)] = [:]
    for (key, data) in keys {
      let value = values[data] ?? Data()
      let date = try? decoder.decode(Dated.self, from: value).at
      switch (key, try? decoder.decode(OutboxRecord<AnyJSON, AnyJSON>.self, from: value)) {
      case (.entry(let key), .entry(let payload, let lane, let place)):
        var entry = Entry("\(key)", payload)
        (entry.lane, entry.condition, entry.written) = (lane, .waiting, date)
        found[key] = (place ?? Int(clamping: key.number), entry)
      case (.status(let key), .status(let status)): statuses[key] = (status, date)
      case (.value(let key), .value(let payload)): entries.append(Entry(key.text, payload))
      case (.paused(let name), .paused): named[name, default: Lane(name: name)].isPaused = true
      case (_, nil): damage = damage ?? "the record of \(key) is of another type"
      default: break
      }
    }
    for (key, (status, date)) in statuses { found[key]?.entry.take(status, date) }
    let inOrder = found.sorted { ($0.value.place, $0.key) < ($1.value.place, $1.key) }.map(\.value.entry)
    for entry in inOrder { named[entry.lane ?? "", default: Lane(name: entry.lane ?? "")].count(entry) }
    entries = inOrder + entries.sorted { $0.key < $1.key }
    lanes = named.values.sorted { $0.name < $1.name }
  }
}

extension KeptWork.Lane {
  fileprivate mutating func count(_ entry: KeptWork.Entry) {
    guard entry.condition != .rejected else {
      rejected += 1
      return
    }
    waiting += 1
    oldest = [oldest, entry.written].compactMap(\.self).min()
  }
}

extension KeptWork.Entry {
  fileprivate mutating func take(_ status: OutboxStatus, _ date: Date?) {
    (attempts, failure, changed) = (status.attempts, status.failure, date)
    if case .until(let moment) = status.wait { until = moment }
    switch status.wait {
    case _ where status.isRejected: condition = .rejected
    case .decision: condition = .returned
    case .until where attempts > 0, nil: break
    case .until, .release: condition = .held
    }
  }
}
