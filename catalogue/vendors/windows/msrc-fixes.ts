/** What the security update guide's documents say together: which KB fixes what, in which product. */
import type { Document, Rejection, UnknownWord } from '../../definition/feed.ts';
import {
  type CvrfProduct,
  type CvrfRemediation,
  type CvrfVulnerability,
  readCvrf,
} from '../../parsers/cvrf-document.ts';
import { detached } from '../../parsers/detached.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { BrokenXml } from '../../parsers/xml-fault.ts';
import { vendorDate } from '../../values/vendor-dates.ts';
import { compareDocuments, MsrcDocument } from './msrc-document.ts';
import { ExploitStatuses } from './msrc-exploit-status.ts';
import { type Guidance, GuidanceReader } from './msrc-guidance.ts';
import { KnownIssues } from './msrc-known-issues.ts';
import { hostIdOf, MsrcProducts } from './msrc-products.ts';
import { type Rating, ratingsOf } from './msrc-rating.ts';
import {
  isBrokenKb,
  kbOf,
  supersededKbs,
  unknownMsrcWords,
  updateTypeOf,
  withoutReferences,
} from './msrc-words.ts';

/** A KB for one product, as the remediations say it that name both. */
export interface Fix {
  readonly kb: string;
  readonly product: string;
  /** A document that names both. */
  readonly url: string;
  /** The KBs that it replaces, each with the newest document that says so. */
  readonly supersedes: Map<string, MsrcDocument>;
  /** As written. */
  readonly restarts: Set<string>;
  readonly updateTypes: Set<string>;
  /** As written, each with the newest document that says so. */
  readonly fixedBuilds: Map<string, MsrcDocument>;
  /** By CVE. */
  readonly ratings: Map<string, Rating>;
}

/** A day on which a document's statements were published anew. */
export interface Revision {
  readonly document: MsrcDocument;
  /** Epoch milliseconds. */
  readonly date: number;
  /** Fixes of the KB that stand in what was published. */
  readonly count: number;
  /** Its words name the KB. */
  readonly namesKb: boolean;
}

/** What holds of a vulnerability whatever the product. */
export interface Vulnerability {
  readonly title: string | null;
  readonly components: readonly string[];
  readonly exploitStatuses: ExploitStatuses;
  readonly guidance: Guidance;
  /** Of what is said of the vulnerability as a whole. */
  readonly unknownWords: readonly UnknownWord[];
  readonly documentDate: number | null;
}

export class MsrcFixes {
  readonly products = new MsrcProducts();
  /** By KB, then by product. */
  readonly fixes = new Map<string, Map<string, Fix>>();
  readonly vulnerabilities = new Map<string, Vulnerability>();
  /** By KB: the documents that name it, each with the number of its fixes there, one for each vulnerability and product. */
  readonly namedIn = new Map<string, Map<MsrcDocument, number>>();
  /** By KB: the days on which vulnerabilities that it fixes were published anew, in the documents that say so, with the number of its fixes. */
  readonly revisedIn = new Map<string, Map<string, Revision>>();
  readonly knownIssues = new KnownIssues((text) => this.#keep(text));
  readonly #guidance = new GuidanceReader((text) => this.#keep(text));
  readonly #rejections = new Map<string, Rejection>();
  readonly #kept = new Map<string, string>();

  get rejections(): Iterable<Rejection> {
    return this.#rejections.values();
  }

  /** Throws BrokenDocument on what is no CVRF document or breaks off. */
  async read(document: Document): Promise<void> {
    const source = new MsrcDocument(document.url);
    const needed = new Set<string>();
    try {
      for await (const piece of readCvrf(document.chunks())) {
        if (piece.kind === 'vulnerability') this.#vulnerability(piece, source, needed);
        else if (piece.kind === 'tracking') source.setDate(piece.initialReleaseDate);
        else for (const product of piece.products) this.#product(product, source);
      }
      source.keepProducts(needed);
    } catch (error) {
      throw error instanceof BrokenXml
        ? new BrokenDocument(document.url, error.message, { cause: error })
        : error;
    }
  }

  reject(rejected: string, reason: string, url: string): void {
    this.#rejections.set(`${rejected} ${reason} ${url}`, {
      kind: 'rejection',
      rejected,
      reason,
      url,
    });
  }

  #product({ id, name: written, branches }: CvrfProduct, source: MsrcDocument): void {
    const name = written.replaceAll(/\s+/g, ' ').trim();
    const family = branches['Product Family'];
    if (name === '') return;
    const product = {
      id: this.#keep(id),
      name: this.#keep(name),
      family: family === undefined ? null : this.#keep(family),
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
    const ofKbs = fixes.filter(({ description }) => kbOf(description) !== null);
    if (ofKbs.length === 0) return;
    const cve = vulnerability.cve === null ? null : this.#keep(vulnerability.cve);
    if (cve !== null) {
      this.#describe(cve, vulnerability, date);
      this.knownIssues.add(cve, vulnerability.remediations);
    }
    const ratings = ratingsOf(vulnerability, (text) => this.#keep(text));
    for (const remediation of ofKbs) {
      const kb = this.#keep(kbOf(remediation.description) as string);
      if (cve === null)
        this.reject(
          kb,
          'It fixes a vulnerability without a CVE or advisory id; that vulnerability is left out.',
          url,
        );
      const products = remediation.products.filter((product) => !this.products.isLeftOut(product));
      if (remediation.products.length === 0)
        this.reject(
          kb,
          `The fix of ${cve ?? 'a vulnerability'} names no product that it is for.`,
          url,
        );
      this.#name(kb, source, products.length);
      this.#addRevisions(kb, source, vulnerability, products.length);
      for (const product of products) {
        needed.add(product).add(hostIdOf(product));
        const fix = this.#fix(kb, this.#keep(product), url);
        this.#addWords(fix, remediation, source);
        if (cve !== null) fix.ratings.set(cve, ratings.higher(fix.ratings.get(cve), product));
      }
    }
  }

  /** A vulnerability can be in several documents; the newest one's words count. */
  #describe(cve: string, vulnerability: CvrfVulnerability, documentDate: number | null): void {
    const { title, notes, threats } = vulnerability;
    const before = this.vulnerabilities.get(cve);
    if (before !== undefined && (before.documentDate ?? 0) > (documentDate ?? 0)) return;
    const exploitStatuses = new ExploitStatuses(threats, (text) => this.#keep(text));
    const plain = (text: string | null) =>
      text === null ? null : this.#keep(withoutReferences(text));
    this.vulnerabilities.set(cve, {
      title: plain(title),
      components: notes
        .filter(({ type }) => type === 'Tag')
        .flatMap(({ text }) => plain(text) || []),
      exploitStatuses,
      guidance: this.#guidance.read(vulnerability),
      unknownWords: detached([...exploitStatuses.unknownWords, ...unknownMsrcWords(vulnerability)]),
      documentDate,
    });
  }

  #name(kb: string, source: MsrcDocument, fixes: number): void {
    const documents = this.namedIn.get(kb) ?? new Map<MsrcDocument, number>();
    this.namedIn.set(kb, documents);
    documents.set(source, (documents.get(source) ?? 0) + fixes);
  }

  /** A whole number of a revision (2.0) says that there are other updates; its fractions correct words. */
  #addRevisions(
    kb: string,
    document: MsrcDocument,
    { revisions }: CvrfVulnerability,
    fixes: number,
  ): void {
    for (const { number, date: written, description } of revisions) {
      const date = vendorDate(written);
      if (date === null || !/^(?:[2-9]|[1-9]\d+)(?:\.0+)?$/.test(number ?? '')) continue;
      const ofKb = this.revisedIn.get(kb) ?? new Map<string, Revision>();
      this.revisedIn.set(kb, ofKb);
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
    for (const kb of supersededKbs(words.Supercedence))
      if (kb !== fix.kb) addStatement(fix.supersedes, this.#keep(kb), source);
    const updateType = updateTypeOf(words.SubType);
    if (updateType !== null) fix.updateTypes.add(this.#keep(updateType));
    if (words.FixedBuild !== undefined)
      addStatement(fix.fixedBuilds, this.#keep(words.FixedBuild), source);
    if (words.RestartRequired !== undefined) fix.restarts.add(this.#keep(words.RestartRequired));
  }

  /** Once in memory, and as a copy: what the parser gives is a view that would keep its whole chunk of the document alive. */
  #keep(text: string): string {
    let kept = this.#kept.get(text);
    if (kept === undefined) {
      kept = Buffer.from(text).toString();
      this.#kept.set(kept, kept);
    }
    return kept;
  }
}

/** Of several documents that say the same the newest is named. */
export function addStatement(
  statements: Map<string, MsrcDocument>,
  said: string,
  source: MsrcDocument,
): void {
  const before = statements.get(said);
  if (before === undefined || compareDocuments(before, source) < 0) statements.set(said, source);
}
