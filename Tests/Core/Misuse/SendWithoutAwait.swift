// What a run sends is awaited.
// error: 'async' call in a function that does not support concurrency

import Millrace

func misuse(_ send: Send<DeskAction>) {
  send(.arrived(""))
}
