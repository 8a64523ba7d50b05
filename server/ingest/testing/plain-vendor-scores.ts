/** Reads the scores in documents of the feed mirror with regular expressions only, to compare them with stored scores. */
import { createReadStream, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { decompress } from '@patch/catalogue/parsers/decompress.ts';

export interface PlainScore {
  /** The advisory or KB that states the score. */
  readonly record: string;
  readonly cve: string;
  readonly score: number;
  readonly vector: string;
}

const all = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found]) => found ?? '');
const one = (text: string, pattern: RegExp) => pattern.exec(text)?.[1] ?? '';

/** Returns for every KB that fixes a CVE the scores of the products that it fixes. */
export function plainMicrosoftScores(mirror: string): readonly PlainScore[] {
  const folder = join(mirror, 'api.msrc.microsoft.com/cvrf/v3.0/cvrf');
  return globSync('*', { cwd: folder }).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .replaceAll(/<(\/?)\w+:/g, '<$1')
      .split(/<Vulnerability\s/)
      .slice(1)
      .flatMap((text) => {
        const cve = one(text, /<CVE>([^<]*)/);
        const ofProduct = new Map<string, { score: number; vector: string }[]>();
        for (const set of text.split('<ScoreSet>').slice(1)) {
          const score = {
            score: Number(one(set, /<BaseScore>([^<]*)/)),
            vector: one(set, /<Vector>([^<]*)/),
          };
          for (const product of all(one(set, /^([^]*?)<\/ScoreSet>/), /<ProductID>([^<]*)/g))
            ofProduct.set(product, [...(ofProduct.get(product) ?? []), score]);
        }
        const remediations = all(text, /<Remediation\s+Type="Vendor Fix">([^]*?)<\/Remediation>/g);
        return remediations.flatMap((remediation) => {
          const kb = one(remediation, /<Description>\s*(\d{6,7})\s*</);
          return all(remediation, /<ProductID>([^<]*)/g).flatMap((product) =>
            (ofProduct.get(product) ?? []).map((score) => ({ record: `KB${kb}`, cve, ...score })),
          );
        });
      }),
  );
}

interface ApolloPage {
  readonly advisories: readonly {
    readonly name: string;
    readonly cves: readonly {
      readonly cve: string;
      readonly cvss3_base_score: string;
      readonly cvss3_scoring_vector: string;
    }[];
  }[];
}

export function plainRockyScores(mirror: string): readonly PlainScore[] {
  const folder = join(mirror, 'apollo.build.resf.org/api/v3/advisories');
  return globSync('index.json@page=*', { cwd: folder }).flatMap((name) => {
    const page = JSON.parse(readFileSync(join(folder, name), 'utf8')) as ApolloPage;
    return page.advisories.flatMap((advisory) =>
      advisory.cves
        .filter(({ cvss3_base_score }) => cvss3_base_score !== 'UNKNOWN')
        .map(({ cve, cvss3_base_score, cvss3_scoring_vector }) => ({
          record: advisory.name,
          cve,
          score: Number(cvss3_base_score),
          vector: cvss3_scoring_vector,
        })),
    );
  });
}

export async function plainOracleScores(mirror: string): Promise<readonly PlainScore[]> {
  const archive = join(mirror, 'linux.oracle.com/security/oval/com.oracle.elsa-all.xml.bz2');
  const definitions = await textOf(decompress(createReadStream(archive)));
  return definitions.split('<definition ').flatMap((definition) => {
    const record = one(definition, /source="elsa" ref_id="([^"]*)"/);
    return [...definition.matchAll(/<cve ([^>]*)>([^<]*)/g)].flatMap(
      ([, attributes = '', cve = '']) =>
        all(attributes, /cvss[23]="([^"]*)"/g).map((written) => ({
          record,
          cve,
          score: Number(one(written, /^([^/]*)/)),
          vector: one(written, /^[^/]*\/(.*)/),
        })),
    );
  });
}
