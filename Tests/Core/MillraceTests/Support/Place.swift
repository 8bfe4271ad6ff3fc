import Millrace
import TestSupport

/// Where a component may be connected: to the store itself, or beneath lifetimes. Each shows the same number.
enum Place: CaseIterable, Sendable {
  case store
  case part
  case rows
  case condition
  /// A row beneath two conditions, of which one is that the part is there.
  case nested
}

extension Store where State == Corner, Action == Change {
  /// A store in which everything of every place is there.
  convenience init(showing number: Int, on queue: Queue) {
    self.init(Corner(x: number, isOpen: true, part: Piece(id: 1, value: number)), on: queue)
    dispatch(Change { $0.rows = KeyedArray(uniqueElements: (0..<3).map { Piece(id: $0, value: number) }) })
  }

  /// Connects by `connect` at a place what watches the number there.
  @discardableResult
  func connect(at place: Place, _ connect: @escaping @Sendable (Store<Int, Change>) -> Void) -> Connection? {
    switch place {
    case .store:
      connect(scope(\.x))
      return nil
    case .part: return connectPart { connect($0.scope(\.value)) }
    case .rows: return connectRows { id, row in if id == 1 { connect(row.scope(\.value)) } }
    case .condition: return self.connect(while: \.isOpen) { connect($0.scope(\.x)) }
    case .nested:
      return self.connect(while: \.isOpen) { store in
        store.connect(while: { $0.part != nil }) { store in
          store.connectRows { id, row in if id == 1 { connect(row.scope(\.value)) } }
        }
      }
    }
  }
}

extension Change {
  /// Every place shows this number.
  static func show(_ number: Int) -> Change {
    Change {
      $0.x = number
      $0.part?.value = number
      $0.rows[id: 1]?.value = number
    }
  }
}
