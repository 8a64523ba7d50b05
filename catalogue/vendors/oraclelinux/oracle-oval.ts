/** Reads Oracle's OVAL definitions, one per security advisory: the CVEs that it fixes and their ratings. */
import type { Document, Remark } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { detachText } from '../../parsers/detach-text.ts';
import { readOnce } from '../../parsers/read-once.ts';
import { child, children, type XmlElement } from '../../parsers/xml-element.ts';
import { BrokenXml } from '../../parsers/xml-fault.ts';
import { xmlRecords } from '../../parsers/xml-reader.ts';
import { toCveId, toWord } from '../../values/vendor-words.ts';

export interface OracleCve {
  readonly cve: string;
  /** CVSS 3 before CVSS 2; empty when Oracle states no rating. */
  readonly ratings: readonly { readonly score: string; readonly vector: string | null }[];
}

export interface OracleOval {
  readonly remarks: readonly Remark[];
  readonly getCves: (advisory: string) => readonly OracleCve[];
}

/** Knows no CVEs without documents. */
export const readOracleOval = readOnce(async (documents): Promise<OracleOval> => {
  const known = new Map<string, readonly OracleCve[]>();
  const remarks: Remark[] = [];
  for (const document of documents) {
    const damage = new Set<number>();
    let nameless = 0;
    for await (const metadata of readDefinitions(document, (line) => damage.add(line))) {
      const { id, cves } = detachText({
        id: getAdvisoryId(metadata),
        cves: children(child(metadata, 'advisory'), 'cve').flatMap(toCves),
      });
      if (id === null) nameless += 1;
      else if (cves.length > 0) known.set(id, cves);
    }
    if (nameless > 0)
      remarks.push({
        kind: 'remark',
        remark: `${document.url}: definitions that name no advisory were left out: ${nameless}`,
      });
    const [line] = damage;
    if (line !== undefined)
      remarks.push({
        kind: 'remark',
        remark: `${document.url} is not well formed at line ${line}; the other definitions are read`,
      });
  }
  return { remarks, getCves: (advisory) => known.get(advisory) ?? [] };
});

async function* readDefinitions(
  document: Document,
  onDamage: (line: number) => void,
): AsyncGenerator<XmlElement> {
  try {
    const path = 'oval_definitions/definitions/definition/metadata';
    yield* xmlRecords(document.chunks(), [path], { onFault: ({ line }) => onDamage(line) });
  } catch (error) {
    throw error instanceof BrokenXml
      ? new BrokenDocument(document.url, error.message, { cause: error })
      : error;
  }
}

/** The title is not used, because it is written by hand. */
function getAdvisoryId(metadata: XmlElement): string | null {
  const own = children(metadata, 'reference').find(
    ({ attributes }) => attributes.source?.toLowerCase() === 'elsa',
  );
  return toWord(own?.attributes.ref_id);
}

function toCves({ text, attributes }: XmlElement): OracleCve[] {
  const cve = toCveId(text);
  return cve === null
    ? []
    : [{ cve, ratings: [attributes.cvss3, attributes.cvss2].flatMap(toRatings) }];
}

/** Parses score, slash and vector: 5.5/CVSS:3.1/AV:L/AC:L/… */
function toRatings(written: string | undefined): OracleCve['ratings'] {
  const [, score, vector] = /^\s*(\d+(?:\.\d+)?)(?:\/(\S+))?\s*$/.exec(written ?? '') ?? [];
  return score === undefined ? [] : [{ score, vector: vector ?? null }];
}
