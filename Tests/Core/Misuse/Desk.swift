// What the cases of misuse are about. Compiled with each of them.

import Millrace

struct Desk: Equatable, Sendable {
  struct Row: Identifiable, Equatable, Sendable { var id: Int }
  struct Opaque: Sendable { var value = 0 }

  var isOnline = false
  var query = ""
  var pending: String?
  var numbers: [Int] = []
  var rows: [Row] = []
  var table: [Int: Row] = [:]
  var keyed = KeyedArray<Row>()
  var opened: Row?
}

enum DeskAction: Equatable, Sendable {
  case arrived(String)
  case row(Int, RowAction)
}

enum RowAction: Equatable, Sendable { case done }
