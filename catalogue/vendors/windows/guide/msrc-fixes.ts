/** Merges the documents of the security update guide: which KB fixes which vulnerability in which product. */
import {
  createRejection,
  createRemark,
  type Document,
  type Rejection,
  type Remark,
  type UnknownWord,
} from '../../../definition/feed.ts';
import { convertFaults } from '../../../parsers/create-document.ts';
import {
  type CvrfProduct,
  type CvrfRemediation,
  type CvrfTracking,
  type CvrfVulnerability,
  readCvrf,
} from '../../../parsers/cvrf-document.ts';
import { detachText } from '../../../parsers/detach-text.ts';
import { BrokenXml } from '../../../parsers/xml-element.ts';
import { findUnreadableDate, remarkOnDates, vendorDate } from '../../../values/vendor-dates.ts';
import { findUnknownCves } from '../../../values/vendor-words.ts';
import { compareDocuments, MsrcDocument } from './msrc-document.ts';
import { ExploitStatuses } from './msrc-exploit-status.ts';
import { type Guidance, GuidanceReader } from './msrc-guidance.ts';
import { KnownIssues } from './msrc-known-issues.ts';
import { getHostId, MsrcProducts } from './msrc-products.ts';
import { createRatings, type Rating } from './msrc-rating.ts';
import {
  decodeReferences,
  findUnknownMsrcWords,
  findVulnerabilityIds,
  isBrokenKb,
  normaliseUpdateType,
  parseKb,
  parseSupersededKbs,
} from './msrc-words.ts';

/** A KB for one product, merged from the remediations that name both. */
export interface Fix {
  readonly kb: string;
  readonly product: string;
  /** A document that names both. */
  readonly url: string;
  /** KBs that it replaces, each with the newest document that states it. */
  readonly supersedes: Map<string, MsrcDocument>;
  /** As written. */
  readonly restarts: Set<string>;
  readonly updateTypes: Set<string>;
  /** As written, each with the newest document that states it. */
  readonly fixedBuilds: Map<string, MsrcDocument>;
  /** By CVE. */
  readonly ratings: Map<string, Rating>;
}

/** A revision of a document's statements. */
export interface Revision {
  readonly document: MsrcDocument;
  /** Epoch milliseconds. */
  readonly date: number;
  /** Number of the KB's fixes in the revised statements. */
  readonly count: number;
  /** Whether the revision's words name the KB. */
  readonly namesKb: boolean;
}

/** Facts of a vulnerability that do not depend on the product. */
export interface Vulnerability {
  readonly title: string | null;
  readonly components: readonly string[];
  readonly exploitStatuses: ExploitStatuses;
  readonly guidance: Guidance;
  /** Unknown words in statements about the vulnerability itself. */
  readonly unknownWords: readonly UnknownWord[];
  readonly documentDate: number | null;
}

export class MsrcFixes {
  readonly products = new MsrcProducts();
  /** By KB, then by product. */
  readonly fixes = new Map<string, Map<string, Fix>>();
  readonly vulnerabilities = new Map<string, Vulnerability>();
  /** By KB: the documents that name it, with the number of its fixes in each, one for each vulnerability and product. */
  readonly documentsByKb = new Map<string, Map<MsrcDocument, number>>();
  /** By KB: revisions of the vulnerabilities that it fixes, with the number of its fixes. */
  readonly revisionsByKb = new Map<string, Map<string, Revision>>();
  readonly knownIssues = new KnownIssues((text) => this.#intern(text));
  readonly #guidance = new GuidanceReader((text) => this.#intern(text));
  readonly #rejections = new Map<string, Rejection>();
  /** By text. */
  readonly #remarks = new Map<string, Remark>();
  readonly #interned = new Map<string, string>();

  /** On dates that cannot be read. */
  get remarks(): Iterable<Remark> {
    return this.#remarks.values();
  }

  get rejections(): Iterable<Rejection> {
    return this.#rejections.values();
  }

  /** @throws BrokenDocument when the document is truncated or not CVRF */
  async read(document: Document): Promise<void> {
    const source = new MsrcDocument(document.url);
    const needed = new Set<string>();
    const pieces = readCvrf(document.chunks());
    for await (const piece of convertFaults(document.url, BrokenXml, pieces)) {
      if (piece.kind === 'vulnerability') this.#vulnerability(piece, source, needed);
      else if (piece.kind === 'tracking') this.#track(piece, source);
      else for (const product of piece.products) this.#product(product, source);
    }
    source.retainProducts(needed);
  }

  reject(rejected: string, reason: string, url: string): void {
    this.#rejections.set(`${rejected} ${reason} ${url}`, createRejection(rejected, reason, url));
  }

  #track({ initialReleaseDate }: CvrfTracking, source: MsrcDocument): void {
    source.setDate(initialReleaseDate);
    for (const remark of remarkOnDates(source.id, { InitialReleaseDate: initialReleaseDate }))
      this.#remarks.set(remark.remark, remark);
  }

  #product({ id, name: written, branches }: CvrfProduct, source: MsrcDocument): void {
    const name = written.replaceAll(/\s+/g, ' ').trim();
    const family = branches['Product Family'];
    if (name === '') return;
    const product = {
      id: this.#intern(id),
      name: this.#intern(name),
      family: family === undefined ? null : this.#intern(family),
    };
    this.products.add(product, source.date);
    source.addProduct(product);
  }

  #vulnerability(
    vulnerability: CvrfVulnerability,
    source: MsrcDocument,
    needed: Set<string>,
  ): void {
    const { date, url } = source;
    const fixes = vulnerability.remediations.filter(({ type }) => type === 'Vendor Fix');
    for (const { description } of fixes) {
      if (isBrokenKb(description))
        this.reject(`${description}`, 'The number of a KB has six or seven digits.', url);
    }
    const ofKbs = fixes.filter(({ description }) => parseKb(description) !== null);
    if (ofKbs.length === 0) return;
    const cves = findVulnerabilityIds([vulnerability.cve]).map((cve) => this.#intern(cve));
    for (const cve of cves) {
      this.#describe(cve, vulnerability, date);
      this.knownIssues.add(cve, vulnerability.remediations);
    }
    const ratings = createRatings(vulnerability, (text) => this.#intern(text));
    for (const remediation of ofKbs) {
      const kb = this.#intern(parseKb(remediation.description) as string);
      if (cves.length === 0)
        this.reject(
          kb,
          'It fixes a vulnerability without a CVE or advisory id; that vulnerability is left out.',
          url,
        );
      const products = remediation.products.filter((product) => !this.products.isExcluded(product));
      if (remediation.products.length === 0)
        this.reject(
          kb,
          `The fix of ${cves.join(', ') || 'a vulnerability'} names no product that it is for.`,
          url,
        );
      this.#countFixes(kb, source, products.length);
      this.#addRevisions(kb, source, vulnerability, products.length);
      for (const product of products) {
        needed.add(product).add(getHostId(product));
        const fix = this.#fix(kb, this.#intern(product), url);
        this.#addWords(fix, remediation, source);
        for (const cve of cves)
          fix.ratings.set(cve, ratings.getHigher(fix.ratings.get(cve), product));
      }
    }
  }

  /** A vulnerability can be in several documents; the words of the newest one count. */
  #describe(cve: string, vulnerability: CvrfVulnerability, documentDate: number | null): void {
    const { title, notes, threats } = vulnerability;
    const before = this.vulnerabilities.get(cve);
    if (before !== undefined && (before.documentDate ?? 0) > (documentDate ?? 0)) return;
    const exploitStatuses = new ExploitStatuses(threats, (text) => this.#intern(text));
    const plain = (text: string | null) =>
      text === null ? null : this.#intern(decodeReferences(text));
    this.vulnerabilities.set(cve, {
      title: plain(title),
      components: notes
        .filter(({ type }) => type === 'Tag')
        .flatMap(({ text }) => plain(text) || []),
      exploitStatuses,
      guidance: this.#guidance.read(vulnerability),
      unknownWords: detachText([
        ...exploitStatuses.unknownWords,
        ...findUnknownMsrcWords(vulnerability),
        ...findUnknownCves([vulnerability.cve]),
      ]),
      documentDate,
    });
  }

  #countFixes(kb: string, source: MsrcDocument, fixes: number): void {
    const documents = this.documentsByKb.get(kb) ?? new Map<MsrcDocument, number>();
    this.documentsByKb.set(kb, documents);
    documents.set(source, (documents.get(source) ?? 0) + fixes);
  }

  /** Whole revision numbers (2.0) announce other updates; fractions only correct words. */
  #addRevisions(
    kb: string,
    document: MsrcDocument,
    { revisions }: CvrfVulnerability,
    fixes: number,
  ): void {
    for (const { number, date: written, description } of revisions) {
      const date = vendorDate(written);
      const unreadable = findUnreadableDate(written);
      if (unreadable !== null) {
        const revision = number === null ? 'a revision without a number' : `revision ${number}`;
        const remark = `${document.id}: the date "${unreadable}" of ${revision} is not a date that can be read`;
        this.#remarks.set(remark, createRemark(remark));
      }
      if (date === null || !/^(?:[2-9]|[1-9]\d+)(?:\.0+)?$/.test(number ?? '')) continue;
      const ofKb = this.revisionsByKb.get(kb) ?? new Map<string, Revision>();
      this.revisionsByKb.set(kb, ofKb);
      const key = `${document.id} ${date}`;
      const before = ofKb.get(key);
      const namesKb = description?.includes(kb.slice('KB'.length)) === true;
      ofKb.set(key, {
        document,
        date,
        count: (before?.count ?? 0) + fixes,
        namesKb: namesKb || before?.namesKb === true,
      });
    }
  }

  #fix(kb: string, product: string, url: string): Fix {
    let ofKb = this.fixes.get(kb);
    if (ofKb === undefined) this.fixes.set(kb, (ofKb = new Map()));
    let fix = ofKb.get(product);
    if (fix === undefined) {
      const words = { restarts: new Set<string>(), updateTypes: new Set<string>() };
      fix = {
        kb,
        product,
        url,
        supersedes: new Map(),
        ...words,
        fixedBuilds: new Map(),
        ratings: new Map(),
      };
      ofKb.set(product, fix);
    }
    return fix;
  }

  #addWords(fix: Fix, { words }: CvrfRemediation, source: MsrcDocument): void {
    for (const kb of parseSupersededKbs(words.Supercedence))
      if (kb !== fix.kb) addStatement(fix.supersedes, this.#intern(kb), source);
    const updateType = normaliseUpdateType(words.SubType);
    if (updateType !== null) fix.updateTypes.add(this.#intern(updateType));
    if (words.FixedBuild !== undefined)
      addStatement(fix.fixedBuilds, this.#intern(words.FixedBuild), source);
    if (words.RestartRequired !== undefined) fix.restarts.add(this.#intern(words.RestartRequired));
  }

  /** Interns a copy of the text: the parser's string would keep its chunk of the document in memory. */
  #intern(text: string): string {
    let interned = this.#interned.get(text);
    if (interned === undefined) {
      interned = Buffer.from(text).toString();
      this.#interned.set(interned, interned);
    }
    return interned;
  }
}

/** Stores the newest of several documents with the same statement. */
export function addStatement(
  statements: Map<string, MsrcDocument>,
  said: string,
  source: MsrcDocument,
): void {
  const before = statements.get(said);
  if (before === undefined || compareDocuments(before, source) < 0) statements.set(said, source);
}
