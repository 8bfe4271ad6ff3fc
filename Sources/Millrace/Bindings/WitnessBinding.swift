/// A recorder of a store's events or actions, in its place: an observer, or a sequence of actions.
///
/// The closures are called with the turn lock held.
final class WitnessBinding: Binding {
  private let begin: () -> Void
  private let finish: () -> Void
  private let isBusy: () -> Bool

  /// - Parameter isBusy: whether something recorded is being told.
  init(
    begin: @escaping () -> Void, end finish: @escaping () -> Void, isBusy: @escaping () -> Bool = { false }
  ) {
    self.begin = begin
    self.finish = finish
    self.isBusy = isBusy
  }

  func connected(_ attachment: Attachment, to node: Node) { begin() }
  func ended(_ attachment: Attachment) { finish() }
  func workUnderWay(of attachment: Attachment) -> Int { isBusy() ? 1 : 0 }
}
