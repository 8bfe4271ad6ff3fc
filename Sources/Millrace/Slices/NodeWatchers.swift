/// The attachments at one node, by role.
struct NodeWatchers {
  private(set) var effects: [any Watcher] = []
  private(set) var displays: [Display] = []
  private(set) var keepers: [any Keeper] = []
  /// The recorders of a part, which end with it. They are not served, and not counted.
  private(set) var witnesses: [Attachment] = []

  /// One of those that are served.
  var any: Attachment? {
    effects.last?.attachment ?? displays.last ?? keepers.last?.attachment
  }

  mutating func add(_ attachment: Attachment) {
    switch attachment.role {
    case .effect: Self.add(attachment, attachment.binding?.asWatcher, to: &effects)
    case .display: Self.add(attachment, attachment.asDisplay, to: &displays)
    case .parts: Self.add(attachment, attachment.binding?.asKeeper, to: &keepers)
    case .witness: Self.add(attachment, attachment, to: &witnesses)
    }
  }

  mutating func remove(_ attachment: Attachment) {
    switch attachment.role {
    case .effect: Self.remove(attachment, from: &effects) { $0.attachment }
    case .display: Self.remove(attachment, from: &displays) { $0 }
    case .parts: Self.remove(attachment, from: &keepers) { $0.attachment }
    case .witness: Self.remove(attachment, from: &witnesses) { $0 }
    }
  }

  /// - Parameter entry: what of the attachment goes into the list.
  private static func add<Entry>(_ attachment: Attachment, _ entry: Entry?, to list: inout [Entry]) {
    guard let entry else {
      preconditionFailure(
        "connection #\(attachment.id) has the role \(attachment.role) and is of another class")
    }
    attachment.index = list.count
    list.append(entry)
  }

  private static func remove<Entry>(
    _ attachment: Attachment, from list: inout [Entry], _ attachmentOf: (Entry) -> Attachment
  ) {
    let index = attachment.index
    list.swapAt(index, list.count - 1)
    list.removeLast()
    if index < list.count { attachmentOf(list[index]).index = index }
  }
}
