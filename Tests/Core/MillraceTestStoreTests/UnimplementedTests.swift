import Millrace
import MillraceTestStore
import MillraceTesting
import Testing

struct WeatherClient: Sendable {
  var forecast: @Sendable (_ city: String) async throws -> String
  var save: @Sendable (_ forecast: String) -> Void
}

extension WeatherClient {
  static var unimplemented: WeatherClient {
    WeatherClient(
      forecast: MillraceTestStore.unimplemented("WeatherClient.forecast", placeholder: ""),
      save: MillraceTestStore.unimplemented("WeatherClient.save"))
  }
}

private func messages(of body: () async throws -> Void) async rethrows -> [String] {
  try await FailureCapture.failures(of: body).map(\.message)
}

@Suite("unimplemented(_:placeholder:) and unimplemented(_:throwing:)") struct UnimplementedTests {
  @Test("a call fails with the endpoint's name and arguments, at the line of unimplemented")
  func place() async {
    let line: UInt = #line + 2
    let failures = await FailureCapture.failures {
      let search: @Sendable (String, Int) -> [Int] = unimplemented("Client.search", placeholder: [7])
      #expect(search("frogs", 3) == [7])
    }
    #expect(
      failures.map(\.description) == [
        """
        MillraceTestStoreTests/UnimplementedTests.swift:\(line): Client.search is not implemented in this test. It was \
        called with ("frogs", 3) and returned its placeholder [7].
        """
      ])
  }

  @Test("an endpoint can be async, throw, take nothing, return nothing and throw an error of its own")
  func shapes() async throws {
    let found = try await messages {
      let plain: @Sendable () -> Void = unimplemented("plain")
      let async: @Sendable (Int) async -> Int? = unimplemented("async", placeholder: nil)
      let throwing: @Sendable (Int) throws -> Int = unimplemented("throwing", placeholder: 1)
      let both: @Sendable (Int, Int, Int) async throws -> Int = unimplemented("both", placeholder: 1)
      let main: @MainActor @Sendable () -> Void = unimplemented("main")
      let typed: @Sendable () async throws(CancellationError) -> Int = unimplemented("typed", placeholder: 1)
      let error = CancellationError()
      let throws1: @Sendable (Int) throws -> Int = unimplemented("throws", throwing: error)
      let throws2: @Sendable () async throws -> Int = unimplemented("async throws", throwing: error)
      let throws3: @Sendable () async throws(CancellationError) -> Void
      throws3 = unimplemented("typed throws", throwing: error)
      plain()
      _ = await async(1)
      _ = try throwing(1)
      _ = try await both(1, 2, 3)
      await main()
      _ = try await typed()
      #expect(throws: CancellationError.self) { try throws1(1) }
      await #expect(throws: CancellationError.self) { try await throws2() }
      await #expect(throws: CancellationError.self) { try await throws3() }
    }
    let calls = [
      "plain is not implemented in this test. It was called with () and returned.",
      "async is not implemented in this test. It was called with (1) and returned its placeholder nil.",
      "throwing is not implemented in this test. It was called with (1) and returned its placeholder 1.",
      "both is not implemented in this test. It was called with (1, 2, 3) and returned its placeholder 1.",
      "main is not implemented in this test. It was called with () and returned.",
      "typed is not implemented in this test. It was called with () and returned its placeholder 1.",
      "throws is not implemented in this test. It was called with (1) and threw CancellationError().",
      "async throws is not implemented in this test. It was called with () and threw CancellationError().",
      "typed throws is not implemented in this test. It was called with () and threw CancellationError().",
    ]
    #expect(found == calls)
  }

  @Test("large arguments are shown by their beginning")
  func large() async {
    let found = await messages {
      let save: @Sendable (String) -> Void = unimplemented("save")
      save(String(repeating: "x", count: 1000))
    }
    let text = "\"" + String(repeating: "x", count: 99) + "…"
    #expect(found == ["save is not implemented in this test. It was called with (\(text)) and returned."])
  }

  @Test("a placeholder is made at each call")
  func placeholders() async {
    let numbers = IncrementingIDs()
    _ = await messages {
      let next: @Sendable () -> Int = unimplemented("next", placeholder: numbers.next())
      #expect([next(), next()] == [0, 1])
    }
  }

  @Test("an implemented endpoint does not fail")
  func implemented() async throws {
    let found = try await messages {
      // unimplemented(_:placeholder:)
      var client = WeatherClient.unimplemented
      client.forecast = { city in "rain in \(city)" }
      let forecast = try await client.forecast("Rome")
      #expect(forecast == "rain in Rome")
    }
    #expect(found == [])
  }

  @Test("a call in a store's run is a failure of the test, recorded when an async endpoint returns")
  func runs() async {
    await withKnownIssue {
      let client = WeatherClient.unimplemented
      let store = Store<String, String>(initialState: "Rome") { state, action in state = action }
      store.connect(when: { $0.isEmpty ? nil : Optional($0) }) { city, send in
        #expect(Test.current == nil)
        let forecast = try? await client.forecast(city)
        await send(forecast ?? "")
      }
      await store.settled()
      #expect(store.state == "")
    } matching: { issue in
      issue.comments == [
        """
        WeatherClient.forecast is not implemented in this test. It was called with ("Rome") and returned its placeholder \
        "".
        """
      ]
    }
  }

  @Test("an async endpoint returns after its failure was recorded", arguments: [false, true])
  func recorded(isThrowing: Bool) async {
    for _ in 0..<25 {
      await withKnownIssue {
        let load: @Sendable () async throws -> Void
        load = isThrowing ? unimplemented("load", throwing: CancellationError()) : unimplemented("load")
        await Task.detached { try? await load() }.value
      } matching: { issue in
        issue.comments.first?.rawValue.hasPrefix("load is not implemented") == true
      }
    }
  }

  @Test("the error takes the place of a result")
  func throwingClient() async {
    let found = await messages {
      // unimplemented(_:throwing:)
      let client = WeatherClient(
        forecast: unimplemented("WeatherClient.forecast", throwing: CancellationError()),
        save: unimplemented("WeatherClient.save"))
      await #expect(throws: CancellationError.self) { try await client.forecast("Rome") }
    }
    #expect(found.count == 1)
  }
}
