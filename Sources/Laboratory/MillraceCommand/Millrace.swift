import Foundation

/// The command `millrace`: answers questions about recordings, the coverage of requests in tests, and kept work.
@main
struct Millrace {
  static let usage = """
    usage: millrace <command> …

    Questions to a recording, which 'store.record(to:)' of MillraceTrace writes:
      inspect FILE                what was done, what took long, what did not end, what was fenced
      why FILE NUMBER             the causes of an action, up to the outside; -1 is the last
      why FILE #NUMBER|TEXT       the causes of a run, or of each whose effect or request contains TEXT
      why FILE --not TEXT [--at NUMBER]
                                  why no run of such a request is in progress, after an action or at the end
      show FILE NUMBER            an action, what it started and ended, and the state; -1 is the last
      diff FILE FILE              the first difference of two recordings, and the differences by cases and requests
      tail FILE [--once]          the lines as they are written, also when the recording goes on in a new file
      graph FILE [--mermaid]      slices, effects and actions, in the language of Graphviz or of Mermaid
      view FILE [-o PAGE]         one HTML page with lanes, actions, states and causes; opens it, or writes PAGE.
                                  --states FROM-TO chooses states where not all have room
      view --follow FILE          the same page, live: served on the loopback address while the recording goes on
      export FILE --chrome        the recording for Perfetto (ui.perfetto.dev) and speedscope

      --json                      the answer as JSON
      --grep TEXT                 only lines with TEXT (inspect, tail)

    What tests have seen:
      coverage FILE               the requests, outcomes and failures that no test has produced; the file is written by
                                  tests with MILLRACE_COVERAGE=FILE in their environment, and grows with each run

    What a program keeps, in the files of its outboxes, ledgers and journals:
      work FILE…                  what waits in each lane, its age, attempts and last failure; what was rejected, or
                                  has begun and not ended; what was asked for and is not taken up
      work FILE… --show KEY       an entry and its payload
      work FILE… --retry KEY      deliver it now; a rejected one under a new key, at the end of its lane
      work FILE… --dismiss KEY    remove it; a ledger forgets it, so that it can begin anew
      work FILE… --pause LANE     deliver nothing of the lane until it is resumed
      work FILE… --resume LANE
                                  A change is asked for beside the file, which is left as it is. A ledger makes it
                                  when it is opened. An outbox makes it when it starts and within a second, but only if
                                  its effect was made with 'operated:'

    exit codes:
      0  answered    1  answered: no such action, run, entry or lane, or the recordings differ
      2  wrong arguments, or the file cannot be read    3  answered, but the file is damaged further on
    """

  static func main() {
    do {
      exit(try Invocation(Array(CommandLine.arguments.dropFirst())).perform())
    } catch {
      FileHandle.standardError.write(Data("millrace: \(error)\n".utf8))
      exit(2)
    }
  }
}

/// Why a command cannot be performed.
struct CommandFailure: Error, CustomStringConvertible {
  let message: String
  var description: String { message }
}
