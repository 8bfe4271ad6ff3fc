/// Leaves ever shorter stretches out of a list of elements, as long as what is left shows the same.
///
/// - Parameters:
///   - found: what the whole list shows.
///   - elements: the elements that show it.
///   - again: what a shorter list shows; `nil` if it does not show the same.
/// - Returns: what a list shows of which no element can be left out.
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
