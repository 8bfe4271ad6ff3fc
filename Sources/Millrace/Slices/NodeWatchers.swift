/// What is connected at one node, by role.
struct NodeWatchers {
  private(set) var effects: [Attachment] = []
  private(set) var displays: [Display] = []
  private(set) var views = NodeViews()
  private(set) var keepers: [Attachment] = []
  /// Those of a part: they end with it. They are not served, and not counted.
  private(set) var witnesses: [Attachment] = []

  /// One of those that are served.
  var any: Attachment? { effects.last ?? displays.last ?? views.last ?? keepers.last }

  /// Whether any is given values.
  var hasDisplays: Bool { !displays.isEmpty || !views.groups.isEmpty }

  mutating func add(_ attachment: Attachment) {
    switch attachment.role {
    case .effect: Self.add(attachment, to: &effects)
    case .display: if let display = attachment.asDisplay { Self.add(display, to: &displays) }
    case .view: if let view = attachment.asView { views.add(view) }
    case .parts: Self.add(attachment, to: &keepers)
    case .witness: Self.add(attachment, to: &witnesses)
    }
  }

  /// - Returns: what is not used any more, and is released when no lock is held.
  mutating func remove(_ attachment: Attachment) -> AnyObject? {
    switch attachment.role {
    case .effect: Self.remove(attachment, from: &effects)
    case .display: Self.remove(attachment, from: &displays)
    case .view: return attachment.asView.flatMap { views.remove($0) }
    case .parts: Self.remove(attachment, from: &keepers)
    case .witness: Self.remove(attachment, from: &witnesses)
    }
    return nil
  }

  static func add<Entry: Attachment>(_ attachment: Entry, to list: inout [Entry]) {
    attachment.index = list.count
    list.append(attachment)
  }

  static func remove<Entry: Attachment>(_ attachment: Attachment, from list: inout [Entry]) {
    let index = attachment.index
    list.swapAt(index, list.count - 1)
    list.removeLast()
    if index < list.count { list[index].index = index }
  }
}
