/**
 * Reads a CVRF 1.1 document as a stream: its tracking facts, its products, then its vulnerabilities. Texts are trimmed; an absent
 * or empty element is null.
 * @see http://www.icasi.org/CVRF/schema/cvrf/1.1
 */
import { toWord } from '../values/vendor-words.ts';
import { child, children, childText, type XmlElement } from './xml-element.ts';
import { xmlRecords } from './xml-reader.ts';

export interface CvrfTracking {
  readonly kind: 'tracking';
  readonly id: string | null;
  /** As written: publishers omit the time zone. */
  readonly initialReleaseDate: string | null;
  readonly currentReleaseDate: string | null;
}

export interface CvrfProducts {
  readonly kind: 'products';
  readonly products: readonly CvrfProduct[];
}

export interface CvrfProduct {
  readonly id: string;
  readonly name: string;
  /** The branches above it by type: { Vendor: 'Microsoft', 'Product Family': 'Windows' }. Empty for a product outside of branches. */
  readonly branches: Readonly<Record<string, string>>;
}

export interface CvrfVulnerability {
  readonly kind: 'vulnerability';
  readonly title: string | null;
  readonly cve: string | null;
  /** Types of weakness by their CWE ids, as written. */
  readonly weaknesses: readonly { readonly id: string | null; readonly name: string | null }[];
  readonly notes: readonly { readonly type: string; readonly text: string | null }[];
  readonly threats: readonly CvrfThreat[];
  readonly scores: readonly CvrfScore[];
  readonly remediations: readonly CvrfRemediation[];
  readonly revisions: readonly CvrfRevision[];
}

/** A revision of the vulnerability's text, as written: '2.0', '2026-06-09T07:00:00'. */
export interface CvrfRevision {
  readonly number: string | null;
  readonly date: string | null;
  readonly description: string | null;
}

/** Products are ids; without any, the threat concerns all affected products. */
export interface CvrfThreat {
  readonly type: string;
  readonly description: string | null;
  readonly products: readonly string[];
}

export interface CvrfScore {
  readonly base: string | null;
  readonly vector: string | null;
  readonly products: readonly string[];
}

export interface CvrfRemediation {
  readonly type: string;
  readonly description: string | null;
  readonly products: readonly string[];
  /** The publisher's further elements by name: SubType, FixedBuild, RestartRequired, Supercedence. */
  readonly words: Readonly<Record<string, string>>;
}

/** Throws on a document that is not CVRF, not well formed, or incomplete. */
export async function* readCvrf(
  chunks: AsyncIterable<string>,
): AsyncGenerator<CvrfTracking | CvrfProducts | CvrfVulnerability> {
  for await (const record of xmlRecords(chunks, [
    'cvrfdoc/DocumentTracking',
    'cvrfdoc/ProductTree',
    'cvrfdoc/Vulnerability',
  ])) {
    if (record.name === 'Vulnerability') yield vulnerability(record);
    else if (record.name === 'ProductTree')
      yield { kind: 'products', products: readProducts(record) };
    else yield tracking(record);
  }
}

function tracking(record: XmlElement): CvrfTracking {
  return {
    kind: 'tracking',
    id: childText(child(record, 'Identification'), 'ID'),
    initialReleaseDate: childText(record, 'InitialReleaseDate'),
    currentReleaseDate: childText(record, 'CurrentReleaseDate'),
  };
}

function readProducts(
  element: XmlElement,
  branches: Readonly<Record<string, string>> = {},
): CvrfProduct[] {
  return element.children.flatMap((inner) => {
    if (inner.name === 'Branch') {
      const name = toWord(inner.attributes.Name);
      return readProducts(
        inner,
        name === null ? branches : { ...branches, [inner.attributes.Type ?? '']: name },
      );
    }
    const [id, name] = [toWord(inner.attributes.ProductID), toWord(inner.text)];
    return inner.name === 'FullProductName' && id !== null && name !== null
      ? [{ id, name, branches }]
      : [];
  });
}

function vulnerability(record: XmlElement): CvrfVulnerability {
  const inside = (list: string, name: string) => children(child(record, list), name);
  return {
    kind: 'vulnerability',
    title: toWord(childText(record, 'Title')),
    cve: toWord(childText(record, 'CVE')),
    weaknesses: children(record, 'CWE').map((weakness) => ({
      id: toWord(weakness.attributes.ID),
      name: toWord(weakness.text),
    })),
    notes: inside('Notes', 'Note').map((note) => ({
      type: type(note),
      text: note.text.trim() || null,
    })),
    threats: inside('Threats', 'Threat').map((threat) => ({
      type: type(threat),
      description: toWord(childText(threat, 'Description')),
      products: productIds(threat),
    })),
    scores: inside('CVSSScoreSets', 'ScoreSet').map((score) => ({
      base: toWord(childText(score, 'BaseScore')),
      vector: toWord(childText(score, 'Vector')),
      products: productIds(score),
    })),
    remediations: inside('Remediations', 'Remediation').map((remediation) => ({
      type: type(remediation),
      description: childText(remediation, 'Description'),
      products: productIds(remediation),
      words: readWords(remediation),
    })),
    revisions: inside('RevisionHistory', 'Revision').map((revision) => ({
      number: childText(revision, 'Number'),
      date: childText(revision, 'Date'),
      description: childText(revision, 'Description'),
    })),
  };
}

const type = (element: XmlElement) => element.attributes.Type ?? '';

function productIds(element: XmlElement): string[] {
  return children(element, 'ProductID').flatMap(({ text }) => text.trim() || []);
}

function readWords(element: XmlElement): Record<string, string> {
  const words: Record<string, string> = {};
  for (const { name, text } of element.children) {
    if (name !== 'Description' && name !== 'ProductID' && text.trim() !== '')
      words[name] ??= text.trim();
  }
  return words;
}
