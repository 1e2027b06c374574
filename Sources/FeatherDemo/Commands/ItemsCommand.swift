import Foundation
import WebServices

/// Shows a collection page by page.
@MainActor
enum ItemsCommand {
  /// The items of all pages, as the option `--json` prints them.
  private struct Gathered: Encodable {
    var items: [Item]
  }

  static func run(_ context: CommandContext) async throws {
    let arguments = context.arguments
    defer { context.spinner.stop() }
    let pages = pages(of: arguments.pageSize)
    do {
      try await arguments.gathersAll ? gather(pages, context) : showEach(pages, context)
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      context.spinner.stop()
      throw context.failure("fetching items", other: error)
    }
  }

  /// The pages. Each is requested once the page before has been read.
  nonisolated static func pages(of size: Int) -> PageSequence<PageRange, ItemPage> {
    .offsets(limit: size, items: { $0.items }, total: { $0.total }) { range in
      try await JsonWebService.shared.sendRequest(RequestDataForItems(range: range), parser: .json(ItemPage.self))
    }
  }

  private static func showEach(_ pages: PageSequence<PageRange, ItemPage>, _ context: CommandContext) async throws {
    var (pageCount, itemCount) = (0, 0)
    context.spinner.start("Fetching page 1")
    for try await page in pages {
      context.spinner.stop()
      pageCount += 1
      itemCount += page.items.count
      for item in page.items { Console.printItem(item, asJSON: context.arguments.printsJSON) }
      if itemCount < page.total { context.spinner.start("Fetching page \(pageCount + 1)") }
    }
    context.spinner.stop()
    guard !context.arguments.printsJSON else { return }
    Console.result("\(Wording.count(itemCount, "item")) on \(Wording.count(pageCount, "page")).")
  }

  private static func gather(_ pages: PageSequence<PageRange, ItemPage>, _ context: CommandContext) async throws {
    context.spinner.start("Fetching all items")
    let items = try await pages.elements { $0.items }.collect()
    context.spinner.stop()
    guard !context.arguments.printsJSON else { return Console.data(try JSONText.of(Gathered(items: items))) }
    for item in items { Console.printItem(item, asJSON: false) }
    Console.result("\(Wording.count(items.count, "item")), gathered.")
  }
}

extension Console {
  fileprivate static func printItem(_ item: Item, asJSON: Bool) {
    if asJSON, let text = try? JSONText.of(item) {
      data(text)
    } else {
      result("\(item.id) \(Wording.oneLine(item.name))")
    }
  }
}
