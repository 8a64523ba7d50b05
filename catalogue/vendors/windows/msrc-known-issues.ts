/** Which KBs Microsoft lists known issues of, and for which products. The guide names the article that describes them, not the issues. */
import type { CvrfRemediation } from '../../parsers/cvrf-document.ts';
import { htmlToText } from '../../schemas/html-to-text.ts';
import { webAddressOf } from '../../values/vendor-words.ts';
import { boundedText, maxTextLength } from './msrc-guidance.ts';
import { kbOf } from './msrc-words.ts';

export interface KnownIssue {
  /** Whose article describes the issues; null where Microsoft writes words instead. */
  readonly kb: string | null;
  readonly text: string | null;
  readonly address: string | null;
  /** The vulnerabilities under which the guide names it. */
  readonly cves: ReadonlySet<string>;
}

interface Growing extends KnownIssue {
  readonly cves: Set<string>;
}

export class KnownIssues {
  /** By KB, then by product, then by what is said. */
  readonly #issues = new Map<string, Map<string, Map<string, Growing>>>();
  readonly #keep: (text: string) => string;

  constructor(keep: (text: string) => string) {
    this.#keep = keep;
  }

  /**
   * Of one vulnerability. An issue belongs to the KB that it names; where that one does not fix the vulnerability on the product, it
   * stands beside the KBs that do, and belongs to them too. One that names no product that a KB is for is for all of its KB's.
   */
  add(cve: string, remediations: readonly CvrfRemediation[]): void {
    const fixes = remediations.flatMap(({ type, description, products }) => {
      const kb = type === 'Vendor Fix' ? kbOf(description) : null;
      return kb === null ? [] : { kb, products: new Set(products) };
    });
    for (const { type, description, products, words } of remediations) {
      if (type !== 'Known Issue' || description === null) continue;
      const named = kbOf(description);
      const issue = {
        kb: named,
        text: named === null ? boundedText(htmlToText(description), maxTextLength) : null,
        address: webAddressOf(words.URL),
      };
      const fixed = products.filter((product) => fixes.some((fix) => fix.products.has(product)));
      for (const product of fixed.length > 0 ? fixed : productsOf(fixes, named)) {
        const fixing = fixes.filter((fix) => fix.products.has(product)).map(({ kb }) => kb);
        const owners =
          named === null || fixing.includes(named) ? [named ?? fixing].flat() : [named, ...fixing];
        for (const kb of new Set(owners)) this.#issueOf(kb, product, issue).cves.add(cve);
      }
    }
  }

  /** Of the KB for these products, each once. */
  of(kb: string, products: Iterable<string>): KnownIssue[] {
    const found = new Map<string, Growing>();
    for (const product of products) {
      for (const [key, issue] of this.#issues.get(kb)?.get(product) ?? []) {
        const before = found.get(key);
        found.set(
          key,
          before === undefined ? issue : { ...before, cves: before.cves.union(issue.cves) },
        );
      }
    }
    return [...found.values()];
  }

  #issueOf(kb: string, product: string, issue: Omit<KnownIssue, 'cves'>): Growing {
    const ofKb = getOrAdd(
      this.#issues,
      this.#keep(kb),
      () => new Map<string, Map<string, Growing>>(),
    );
    const ofProduct = getOrAdd(ofKb, this.#keep(product), () => new Map<string, Growing>());
    const kept = (text: string | null) => (text === null ? null : this.#keep(text));
    const key = this.#keep([issue.kb, issue.address, issue.text].join(' '));
    return getOrAdd(ofProduct, key, () => ({
      kb: kept(issue.kb),
      text: kept(issue.text),
      address: kept(issue.address),
      cves: new Set(),
    }));
  }
}

/** Of the KB; of all where it is none of them. */
function productsOf(
  fixes: readonly { readonly kb: string; readonly products: ReadonlySet<string> }[],
  kb: string | null,
): Set<string> {
  const own = fixes.filter((fix) => fix.kb === kb);
  return new Set((own.length > 0 ? own : fixes).flatMap((fix) => [...fix.products]));
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, add: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = add()));
  return value;
}
