/// What shows that a part is not what the test says.
struct Refutation {
  enum Kind {
    /// The move changes something beside the part.
    case changesMore
    /// The move did something else to an equal part.
    case readsMore(elsewhere: MadeMove)
    /// The user's actions are others than where the part was equal.
    case offersOthers(elsewhere: Int)
  }

  let part: Int
  let kind: Kind
  let state: Int
  /// The index of the move; `nil` where it is about all of the user's.
  let move: Int?
}
