// A bag that disconnects says so in its name.
// error: 'finished()' has been renamed to 'disconnectAndFinish()'

import Millrace

func misuse(_ bag: ConnectionBag) async {
  await bag.finished()
}
