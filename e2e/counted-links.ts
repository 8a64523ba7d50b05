/** The numbers of machines, patches and CVEs on a page: those that link to their rows, and those that do not. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { readCriteria } from '@patch/contract/filter/criteria-text.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import type { Page } from '@playwright/test';
import type { Service } from './service.ts';

export interface CountedLink {
  readonly label: string;
  readonly count: number;
  readonly href: string;
}

/** Returns the links whose name says what they count: "130 machines miss CVE-2024-3094: show them". */
export async function readCountedLinks(page: Page): Promise<readonly CountedLink[]> {
  const links = await page
    .locator('a[aria-label$=": show them"]')
    .evaluateAll((elements) =>
      elements.map((element) => [
        element.getAttribute('aria-label') ?? '',
        element.getAttribute('href') ?? '',
      ]),
    );
  return links.map(([label = '', href = '']) => {
    // An update can have several records, which the list shows.
    const [, count = ''] = /, in ([\d,]+) records?:/.exec(label) ?? /^([\d,]+) /.exec(label) ?? [];
    return { label, href, count: Number(count.replaceAll(',', '')) };
  });
}

/** Returns the number of rows that the list behind a link has, as its export does. */
export async function countRows(service: Service, href: string, timeZone: string): Promise<number> {
  const { pathname, searchParams } = new URL(href, 'http://console');
  const route = pathname.replace(/^\/patch-repository\/?/, '');
  const list = catalogueLists.find((one) => one.route === route);
  if (list === undefined) throw new Error(`${href} is no list`);
  const when = { now: Date.now(), timeZone };
  const { criteria, refused } = readCriteria(list, searchParams.get('criteria') ?? '', when);
  if (refused.length > 0) throw new Error(`${href}: ${refused.join(' ')}`);
  const { totalCount } = await service.search(list.searchPath, 'size=1', {
    filter: filterText(list, criteria, when),
  });
  return totalCount;
}

/** Returns the numbers of machines, patches and CVEs in sentences outside links, buttons and the headings of what follows below. */
export async function readUnlinkedNumbers(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(unlinkedNumbers);
}

/** Runs in the page. */
const unlinkedNumbers = `(() => {
  const counted = /(?:^|[^\\w.:-])\\d[\\d,]*\\s+(?:critical |important |missing |other |more |known |new )*(?:machines?|patch(?:es)?|CVEs?|updates?|records?)\\b/i;
  const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element.closest('a, button, summary, h1, h2, h3, script, style, [aria-hidden=true], .visually-hidden') !== null) continue;
    if (counted.test(node.data)) found.push(node.data.trim());
  }
  return found;
})()`;
