/// Elements with distinct identities. The default identity of objects does not count, since states made separately have
/// different objects.
struct Identified {
  let elements: [Any]
  let ids: [AnyHashable]
  let positions: [AnyHashable: Int]

  /// `nil` if an element is not `Identifiable`, or if two have the same id.
  init?(_ elements: [Any]) {
    var ids: [AnyHashable] = []
    var positions: [AnyHashable: Int] = [:]
    for (index, element) in elements.enumerated() {
      guard let element = element as? any Identifiable else { return nil }
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
