/// Elements with distinct identities. The default identity of objects does not count, since states made separately have
/// different objects.
struct Identified {
  let elements: Elements
  let ids: [AnyHashable]
  let positions: [AnyHashable: Int]

  /// `nil` if an element is not `Identifiable`, or if two have the same id.
  init?(_ elements: Elements) {
    var ids: [AnyHashable] = []
    var positions: [AnyHashable: Int] = [:]
    for index in 0..<elements.count {
      guard let element = elements[index] as? any Identifiable else { return nil }
      let id = Self.id(of: element)
      guard !(id.base is ObjectIdentifier), positions.updateValue(index, forKey: id) == nil else {
        return nil
      }
      ids.append(id)
    }
    (self.elements, self.ids, self.positions) = (elements, ids, positions)
  }

  private static func id<Element: Identifiable>(of element: Element) -> AnyHashable {
    AnyHashable(element.id)
  }
}
