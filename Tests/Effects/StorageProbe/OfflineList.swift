import Foundation
import Millrace
import MillraceEffects
import MillraceStorage

/// A list of items, each with marks, that is edited without waiting for its server. The process that reads the output
/// stands for the server, and answers by lines of input.
enum OfflineList {
  /// Adds a mark to an item whose marks were known to be `base`.
  struct Edit: Codable, Hashable, Sendable {
    var item: String
    var mark: String
    var base: [String]
  }

  /// The edits, and the marks of each item as they are shown. The count of edits is an item without a name.
  private typealias List = DurableOutbox<Edit, String, [String]>

  private enum Action: Sendable {
    case outbox(DurableOutboxEvent<[String]>)
    case journal(List.Journal)
  }

  private struct Lost: Error {}

  static let items = ["milk", "bread", "salt"]

  static func run(at path: String, isLast: Bool) async {
    let (storage, server) = (
      List.Storage(at: path), Lock<[String: CheckedContinuation<[String], Never>]>([:])
    )
    let store = Store(initialState: List()) { (list: inout List, action: Action) in
      switch action {
      case .journal(.failed(let failure, _, _)): say("failed \(failure)")
      case .journal(let event):
        list.reduce(event)
        guard case .loaded = event else { return }
        if isLast { for item in items { edit(item, in: &list) } } else { fill(&list) }
      case .outbox(let event):
        var answer: (item: String, marks: [String])?
        if case .confirmed(let key, let marks?) = event { answer = list.entry(key).map { ($0.lane, marks) } }
        list.reduce(event)
        if case .returned(let key, let marks?, _) = event, var edit = list.entry(key)?.payload {
          (edit.base, answer) = (marks, (edit.item, marks))
          list.replace(key, by: edit)
        }
        if let answer {
          let pending = list.entries.filter { $0.lane == answer.item }.map(\.payload.mark)
          list[answer.item] = answer.marks + pending
        }
        if !isLast { fill(&list) }
      }
    }
    let deliveries = DurableOutboxEffect<Edit, [String]>(
      backoff: Backoff(first: .milliseconds(1), cap: .milliseconds(4))
    ) { entry in
      let edit = entry.payload
      let words = await withCheckedContinuation { continuation in
        server.withLock { $0["\(entry.key)"] = continuation }
        say("put \(entry.key) \(edit.item) \(edit.mark) \(edit.base.joined(separator: ","))")
      }
      let marks = words.count > 1 ? words[1].split(separator: ",").map(String.init) : []
      switch words[0] {
      case "ok": return .received(marks)
      case "conflict": return .returned(marks)
      default: throw Lost()
      }
    }
    store.connect(JournalEffect(storage), to: \.backlog, action: Action.journal)
    store.connect(deliveries, to: \.due, action: Action.outbox, longRunning: true)
    Thread.detachNewThread {
      while let line = readLine() {
        let words = line.split(separator: " ").map(String.init)
        server.withLock { $0.removeValue(forKey: words[0]) }?.resume(returning: Array(words.dropFirst()))
      }
    }
    let list = await store.first { isLast && $0.isLoaded && $0.count == 0 && $0.isSaved }
    for item in items { say("has \(item) \(list?[item, default: []].joined(separator: ",") ?? "")") }
    say("made \(list?["", default: ["0"]][0] ?? "")")
  }

  private static func fill(_ list: inout List) {
    while list.count < 5 { edit(items[list.count % items.count], in: &list) }
  }

  private static func edit(_ item: String, in list: inout List) {
    let number = (Int(list["", default: ["0"]][0]) ?? 0) + 1
    list[""] = ["\(number)"]
    list.append(Edit(item: item, mark: "\(number)", base: list[item, default: []]), lane: item)
    list[item, default: []].append("\(number)")
  }
}
