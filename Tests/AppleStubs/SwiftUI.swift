// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Each declaration has the page that it is from instead.

// The part of SwiftUI that a sample of the documentation uses. The pages are those of
// https://developer.apple.com/documentation. Views have no body here, because nothing is drawn.

// swiftui/view
@MainActor public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError() }
}

// swiftui/viewbuilder
@resultBuilder public enum ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  {
    TupleView()
  }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

extension Optional: View where Wrapped: View {
  public var body: Never { fatalError() }
}

// swiftui/tupleview
public struct TupleView<Content>: View {
  nonisolated init() {}
  public var body: Never { fatalError() }
}

// swiftui/text
public struct Text: View {
  public init<Content: StringProtocol>(_ content: Content) {}
  public var body: Never { fatalError() }
}

// swiftui/progressview
public struct ProgressView: View {
  public init() {}
  public var body: Never { fatalError() }
}

// swiftui/list
public struct List<Content: View>: View {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError() }
}

// swiftui/foreach
public struct ForEach<Data: RandomAccessCollection, Content: View>: View where Data.Element: Identifiable {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
  public var body: Never { fatalError() }
}

extension View {
  // swiftui/view/overlay(alignment:content:)
  public func overlay<Content: View>(@ViewBuilder content: () -> Content) -> some View { self }
  // swiftui/view/task(priority:_:)
  public func task(@_inheritActorContext _ action: @escaping @Sendable () async -> Void) -> some View { self }
  // swiftui/view/refreshable(action:)
  public func refreshable(@_inheritActorContext action: @escaping @Sendable () async -> Void) -> some View { self }
}
