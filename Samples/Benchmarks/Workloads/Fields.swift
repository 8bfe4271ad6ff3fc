/// Structs of many equal fields, for nesting. Each level multiplies the number of stored properties, and so the number
/// of different key paths.
struct Ten<Field: Equatable & Sendable>: Equatable, Sendable {
  var a, b, c, d, e, f, g, h, i, j: Field

  init(repeating field: Field) {
    (a, b, c, d, e) = (field, field, field, field, field)
    (f, g, h, i, j) = (field, field, field, field, field)
  }

  static var paths: [Path<Ten, Field>] {
    [\.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h, \.i, \.j].map(Path.init)
  }
}

struct Four<Field: Equatable & Sendable>: Equatable, Sendable {
  var a, b, c, d: Field

  init(repeating field: Field) { (a, b, c, d) = (field, field, field, field) }

  static var paths: [Path<Four, Field>] { [\.a, \.b, \.c, \.d].map(Path.init) }
}

struct Three<Field: Equatable & Sendable>: Equatable, Sendable {
  var a, b, c: Field

  init(repeating field: Field) { (a, b, c) = (field, field, field) }

  static var paths: [Path<Three, Field>] { [\.a, \.b, \.c].map(Path.init) }
}

/// A key path through stored properties that stays `Sendable` when another one is appended.
struct Path<Root, Value>: Sendable {
  let keyPath: any KeyPath<Root, Value> & Sendable

  init(_ keyPath: any KeyPath<Root, Value> & Sendable) { self.keyPath = keyPath }

  func appending<Part>(_ path: Path<Value, Part>) -> Path<Root, Part> {
    let whole: KeyPath<Root, Value> = keyPath
    let joined = whole.appending(path: path.keyPath)
    // Both parts are `Sendable`, so the whole is, but the standard library's signature does not say so. A marker
    // protocol has no witness table, so the existential is the reference itself.
    return Path<Root, Part>(unsafeBitCast(joined, to: (any KeyPath<Root, Part> & Sendable).self))
  }
}

/// Every path of `outer`, each followed by every one of `inner`.
func joined<Root, Value, Part>(
  _ outer: [Path<Root, Value>], _ inner: [Path<Value, Part>]
) -> [Path<Root, Part>] {
  outer.flatMap { path in inner.map(path.appending) }
}
