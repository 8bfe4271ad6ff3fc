import Millrace
import MillraceEffects
import MillraceTestStore
import MillraceTesting
import Testing

private enum Mail {
  enum Screen: Hashable, Codable, Sendable {
    case inbox
    case message(Int)
    case settings
  }

  struct State: Equatable, Sendable {
    var navigation = Navigation<Screen>([.inbox])
    var isSignedIn = false
    var link: [Screen]?
  }

  enum Action: Sendable {
    case messageTapped(Int)
    case backTapped
    case swipedBack(ScreenPath<Screen>.ID)
    case linkOpened([Screen])
    case signedIn
    case navigation(Navigation<Screen>.Action)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .messageTapped(let number): state.navigation.push(.message(number))
    case .backTapped: state.navigation.pop()
    case .swipedBack(let id): state.navigation.dismissed(id)
    case .linkOpened(let screens): state.link = screens
    case .signedIn: state.isSignedIn = true
    case .navigation(let report): state.navigation.reduce(report)
    }
    if state.isSignedIn, let link = state.link {
      state.navigation.show(link)
      state.link = nil
    }
  }

  static func screens(for link: String) -> [Screen]? {
    let parts = link.split(separator: "/")
    switch parts.first {
    case "settings" where parts.count == 1: return [.inbox, .settings]
    case "message" where parts.count == 2: return Int(parts[1]).map { [.inbox, .message($0)] }
    default: return nil
    }
  }
}

private enum Interface {
  @MainActor final class Window {
    private(set) var titles: [(id: ScreenPath<Mail.Screen>.ID, title: String)] = []

    func perform(_ step: Navigation<Mail.Screen>.Step) async {
      switch step.change {
      case .push(let entry): titles.append((entry.id, "\(entry.screen)"))
      case .pop(let entry): titles.removeAll { $0.id == entry.id }
      case .change(let entry, let screen):
        for index in titles.indices where titles[index].id == entry.id { titles[index].title = "\(screen)" }
      }
    }
  }
}

extension Interface.Window {
  fileprivate func swipeBack() -> ScreenPath<Mail.Screen>.ID? { titles.popLast()?.id }
}

private enum Shapes {
  struct Draft: Equatable, Sendable {}

  struct Tabs: Equatable, Sendable {
    var selection = Tab.mail
    var mail = Navigation<Mail.Screen>([.inbox])
    var settings = Navigation<Mail.Screen>([.settings])
    /// A modal screen, while there is one.
    var draft: Draft?
    var setup: Setup? = .welcome
  }

  enum Tab: Hashable, Sendable {
    case mail
    case settings
  }

  /// A wizard: what each page knows from those before it.
  enum Setup: Hashable, Sendable {
    case welcome
    case account(name: String)
    case confirmation(name: String, server: String)
  }
}

private enum Reader {
  struct State: Equatable, Sendable {
    var navigation = Navigation<Mail.Screen>([.inbox, .message(7)])
    var texts: [Int: String] = [:]
  }

  enum EntryAction: Sendable {
    case loaded(Int, text: String)
  }

  enum Action: Sendable {
    case popped
    case entry(ScreenPath<Mail.Screen>.ID, EntryAction)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .popped: state.navigation.pop()
    case .entry(_, .loaded(let number, let text)): state.texts[number] = text
    }
  }
}

extension Mail.Screen {
  fileprivate var message: Int? { if case .message(let number) = self { number } else { nil } }
}

private struct Mailbox: Sendable {
  func text(of number: Int) async -> String { "text \(number)" }
}

@Suite @MainActor struct NavigationExamples {
  @Test("a window follows what is wanted")
  func window() async throws {
    let window = Interface.Window()
    let store = Store(initialState: Mail.State(), reduce: Mail.reduce)
    store.connect(
      RoutingEffect<Mail.Screen> { step in await window.perform(step) }, to: \.navigation,
      action: Mail.Action.navigation)
    store.dispatch(.messageTapped(7))
    await store.settled()
    #expect(window.titles.map(\.title) == ["inbox", "message(7)"])
    let gone = try #require(window.swipeBack())
    store.dispatch(.swipedBack(gone))
    store.dispatch(.linkOpened(try #require(Mail.screens(for: "message/9"))))
    await store.settled()
    #expect(window.titles.map(\.title) == ["inbox"] && store.state.navigation.isSettled)
    store.dispatch(.signedIn)
    await store.settled()
    #expect(window.titles.map(\.title) == ["inbox", "message(9)"])
    #expect(Mail.screens(for: "settings") == [.inbox, .settings])
    #expect(Mail.screens(for: "message/x") == nil && Mail.screens(for: "") == nil)
  }

  @Test("a test performs the steps")
  func tested() async throws {
    // A test of navigation
    let store = TestStore(initialState: Mail.State(), reduce: Mail.reduce) { store in
      store.connect(
        RoutingEffect<Mail.Screen> { _ in }, to: \.navigation, action: Mail.Action.navigation)
    }
    store.exhaustivity = .none
    let performed = Navigation<Mail.Screen>.Action.performed
    store.answer(try #require(store.state.navigation.step), with: performed(1))
    store.send(.messageTapped(7))
    store.send(.backTapped)  // while the message is on its way
    store.answer(try #require(store.state.navigation.step), with: performed(2))
    store.answer(try #require(store.state.navigation.step), with: performed(3))
    #expect(store.state.navigation.isSettled)
    await store.finish()
  }

  @Test("effects of a screen live as long as its entry")
  func lifetimes() async {
    let mailbox = Mailbox()
    let store = Store(initialState: Reader.State(), reduce: Reader.reduce)
    // Lifetimes of screens
    store.connectEach(\.navigation.wanted.entries, action: Reader.Action.entry) { _, entry in
      entry.connect(when: { $0.screen.message }) { number, send in
        await send(.loaded(number, text: await mailbox.text(of: number)))
      }
    }
    await store.settled()
    #expect(store.state.texts == [7: "text 7"])
  }

  @Test("what is wanted is presented, and shapes of navigation are values")
  func values() {
    var path = ScreenPath<Mail.Screen>([.inbox])
    let first = path.push(.message(7))
    path.push(.message(7))  // again, and not the same entry
    path.pop(to: first)
    #expect(path.screens == [.inbox, .message(7)])
    var tabs = Shapes.Tabs()
    tabs.selection = .settings
    tabs.setup = .confirmation(name: "ann", server: "mail")
    #expect(tabs.mail.wanted.screens == [.inbox] && tabs.draft == nil)
  }
}
