/** Known issues of KBs by product. The guide names the article that describes the issues, not the issues themselves. */
import type { CvrfRemediation } from '../../../parsers/cvrf-document.ts';
import { htmlToText } from '../../../schemas/html-to-text.ts';
import { toWebAddress } from '../../../values/vendor-words.ts';
import { maxTextLength, shortenText } from './msrc-guidance.ts';
import { parseKb } from './msrc-words.ts';

export interface KnownIssue {
  /** The KB whose article describes the issues; null when Microsoft writes text instead. */
  readonly kb: string | null;
  readonly text: string | null;
  readonly address: string | null;
  /** Vulnerabilities under which the guide names the issue. */
  readonly cves: ReadonlySet<string>;
}

interface MutableIssue extends KnownIssue {
  readonly cves: Set<string>;
}

export class KnownIssues {
  /** By KB, then by product, then by content. */
  readonly #issues = new Map<string, Map<string, Map<string, MutableIssue>>>();
  readonly #intern: (text: string) => string;

  constructor(intern: (text: string) => string) {
    this.#intern = intern;
  }

  /**
   * Adds the issues of one vulnerability. An issue belongs to the KB that it names, and also to the KBs that fix the vulnerability on the
   * product when the named one does not. An issue without a fixed product applies to all products of its KB.
   */
  add(cve: string, remediations: readonly CvrfRemediation[]): void {
    const fixes = remediations.flatMap(({ type, description, products }) => {
      const kb = type === 'Vendor Fix' ? parseKb(description) : null;
      return kb === null ? [] : { kb, products: new Set(products) };
    });
    for (const { type, description, products, words } of remediations) {
      if (type !== 'Known Issue' || description === null) continue;
      const issueKb = parseKb(description);
      const issue = {
        kb: issueKb,
        text: issueKb === null ? shortenText(htmlToText(description), maxTextLength) : null,
        address: toWebAddress(words.URL),
      };
      const fixed = products.filter((product) => fixes.some((fix) => fix.products.has(product)));
      for (const product of fixed.length > 0 ? fixed : findProducts(fixes, issueKb)) {
        const fixing = fixes.filter((fix) => fix.products.has(product)).map(({ kb }) => kb);
        const owners =
          issueKb === null || fixing.includes(issueKb)
            ? [issueKb ?? fixing].flat()
            : [issueKb, ...fixing];
        for (const kb of new Set(owners)) this.#getIssue(kb, product, issue).cves.add(cve);
      }
    }
  }

  /** Returns the KB's issues on these products, each once. */
  listIssues(kb: string, products: Iterable<string>): KnownIssue[] {
    const found = new Map<string, MutableIssue>();
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

  #getIssue(kb: string, product: string, issue: Omit<KnownIssue, 'cves'>): MutableIssue {
    const ofKb = getOrAdd(
      this.#issues,
      this.#intern(kb),
      () => new Map<string, Map<string, MutableIssue>>(),
    );
    const ofProduct = getOrAdd(ofKb, this.#intern(product), () => new Map<string, MutableIssue>());
    const internOrNull = (text: string | null) => (text === null ? null : this.#intern(text));
    const key = this.#intern([issue.kb, issue.address, issue.text].join(' '));
    return getOrAdd(ofProduct, key, () => ({
      kb: internOrNull(issue.kb),
      text: internOrNull(issue.text),
      address: internOrNull(issue.address),
      cves: new Set(),
    }));
  }
}

/** Returns the products of the KB, or of all fixes when it has none. */
function findProducts(
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
