/// Leaves ever shorter parts out of a list of elements, as long as the rest shows the same finding.
///
/// - Parameters:
///   - found: the finding of the whole list.
///   - elements: the elements of a finding.
///   - again: the finding of a shorter list; `nil` if it does not show the same.
/// - Returns: a finding from whose list no element can be left out.
func shortened<Found, Element>(
  _ found: Found, _ elements: (Found) -> [Element], again: ([Element]) -> Found?
) -> Found {
  var best = found
  var length = max(1, elements(best).count / 2)
  while true {
    var start = 0
    var isShorter = false
    while case let all = elements(best), start < all.count {
      let end = min(start + length, all.count)
      if let shorter = again(Array(all[..<start] + all[end...])) {
        best = shorter
        isShorter = true
      } else {
        start = end
      }
    }
    if length == 1, !isShorter { return best }
    length = max(1, length / 2)
  }
}
