/// One difference of a part.
enum DifferenceFinding {
  case replaced(old: Any, new: Any)
  case added(Any, at: Int?)
  case removed(Any)
  case moved(from: Int, to: Int)
  /// Unequal by `==`, but equal in all parts that reflection shows.
  case hidden(Any)
  /// Two objects with nothing that could be compared.
  case otherInstance(Any)
  /// A part that was not compared, though its values may differ.
  case unfinished(String)
}
