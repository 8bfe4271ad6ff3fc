@testable import RespReader

private func answers(_ parts: [[UInt8]]) -> (answers: [Result<RespValue, RespError>], isBroken: Bool) {
  var (reader, answers) = (RespReader(), [Result<RespValue, RespError>]())
  for part in parts {
    reader.received(part)
    do { while let answer = try reader.next() { answers.append(answer) } } catch { return (answers, true) }
  }
  return (answers, false)
}

/// Answers of Redis are the same in any parts, and a command that is written reads back.
func fuzzRESP(_ bytes: [UInt8]) {
  let (whole, parts) = (answers([bytes]), answers(cut(bytes)))
  check(whole.answers == parts.answers && whole.isBroken == parts.isBroken, "parts give other answers")
  let words = bytes.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
  let command = answers(cut(Array(RespReader.command(words))))
  check(command.answers == [.success(.list(words.map { .text($0) }))], "a command reads back otherwise")
}
