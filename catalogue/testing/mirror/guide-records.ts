/** Reads the months of Microsoft's security update guide in the feed mirror with regular expressions only. */
import { readdirSync, readFileSync } from 'node:fs';
import { severities } from '../../schemas/severities.ts';
import { windowsKbFeed } from '../../vendors/windows/windows-kb-feed.ts';
import { findPart } from '../find-part.ts';
import {
  everyMatch,
  type MirrorRecord,
  type MirrorSubject,
  mirrorPath,
  withoutEntities,
} from './mirror-record.ts';

/** A vulnerability's fix for one product. */
export interface MirrorFix {
  readonly kb: string;
  readonly product: string;
  readonly severity: string;
  readonly type: string;
  readonly build: string | null;
  readonly supersedes: readonly string[];
}

export interface MirrorVulnerability {
  readonly cve: string;
  readonly fixes: readonly MirrorFix[];
  /** 'Publicly Disclosed:No;Exploited:Yes;…' */
  readonly status: string;
  readonly knownIssues: readonly string[];
  /** Letters and digits of each note. */
  readonly faq: readonly string[];
  readonly advice: readonly string[];
  readonly cwe: readonly string[];
}

/** Reduces text to letters and digits, so that markup, spaces, punctuation and character references do not matter. */
export const extractLetters = (text: string) => text.replaceAll(/[^A-Za-z\d]/g, '');
const lettersOfHtml = (xml: string) =>
  extractLetters(
    (withoutEntities(xml.replaceAll(/&#\w+;/g, ' ')) ?? '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/&[a-z]+;|&#\d+;/g, ' '),
  );

function* fixesIn(vulnerability: string): Generator<MirrorFix> {
  const stated = vulnerability.matchAll(
    /Type="Severity">\s*<vuln:Description>(.*?)<\/vuln:Description>\s*<vuln:ProductID>(.*?)</g,
  );
  const severityFor = new Map([...stated].map(([, severity, product]) => [product, severity]));
  for (const fix of everyMatch(vulnerability, /Type="Vendor Fix">([^]*?)<\/vuln:Remediation>/g)) {
    const number = /<vuln:Description>(?:KB)?(\d{6,7})</.exec(fix)?.[1];
    if (number === undefined) continue;
    for (const product of everyMatch(fix, /<vuln:ProductID>(.*?)</g))
      yield {
        kb: `KB${number}`,
        product,
        severity: severityFor.get(product) ?? 'Unspecified',
        type: /<vuln:SubType>(.*?)</.exec(fix)?.[1] ?? '',
        build: /<vuln:FixedBuild>(.*?)</.exec(fix)?.[1] ?? null,
        supersedes: everyMatch(/<vuln:Supercedence>([^<]*)</.exec(fix)?.[1] ?? '', /\b(\d{7})\b/g)
          .filter((older) => older !== number)
          .map((older) => `KB${older}`),
      };
  }
}

export function guideVulnerabilities(months = /./): MirrorVulnerability[] {
  const folder = `${mirrorPath}api.msrc.microsoft.com/cvrf/v3.0/cvrf/`;
  return readdirSync(folder)
    .filter((month) => months.test(month))
    .flatMap((month) =>
      everyMatch(
        readFileSync(folder + month, 'utf8'),
        /<vuln:Vulnerability\s([^]*?)<\/vuln:Vulnerability>/g,
      ),
    )
    .map((text) => ({
      cve: /<vuln:CVE>(.*?)</.exec(text)?.[1] ?? '',
      fixes: [...fixesIn(text)],
      status: /Type="Exploit Status">\s*<vuln:Description>(.*?)</.exec(text)?.[1] ?? '',
      knownIssues: everyMatch(text, /Type="Known Issue">\s*<vuln:Description>(\d{6,7})</g).map(
        (digits) => `KB${digits}`,
      ),
      faq: everyMatch(text, /Type="FAQ"\s+Ordinal="\d+">([^]*?)<\/vuln:Note>/g).map(lettersOfHtml),
      advice: everyMatch(
        text,
        /Type="(?:Mitigation|Workaround)">\s*<vuln:Description>([^]*?)<\/vuln:Description>/g,
      ).map(lettersOfHtml),
      cwe: everyMatch(text, /<vuln:CWE\s+ID="(CWE-\d+)"/g),
    }));
}

const getRank = (severity: string) => severities.findIndex((known) => known === severity);

/** One name with two ids: a KB that lists both has one row under the lower id. */
const sameName: Readonly<Record<string, string>> = { 10495: '10120', 999017: '10950' };

function guideRecords(months?: RegExp): MirrorRecord[] {
  const fixes = guideVulnerabilities(months).flatMap((of) =>
    of.fixes.map((fix) => ({ ...fix, cve: of.cve })),
  );
  const productsByKb = new Map(
    [...Map.groupBy(fixes, ({ kb }) => kb)].map(([kb, ofKb]) => [
      kb,
      new Set(ofKb.map(({ product }) => product)),
    ]),
  );
  const toKey = ({ kb, product }: MirrorFix) => {
    const outer = product.split('-')[1] ?? '';
    const own = productsByKb.get(kb)?.has(outer) === true ? outer : product;
    const same = sameName[own] ?? own;
    return `${kb}|${productsByKb.get(kb)?.has(same) === true ? same : own}`;
  };
  return [...Map.groupBy(fixes, toKey)].map(([key, ofRow]) => ({
    key,
    row: {
      kbId: ofRow[0]?.kb,
      cve: ofRow.map(({ cve }) => cve),
      severity: severities[Math.max(...ofRow.map(({ severity }) => getRank(severity)))],
    },
  }));
}

const part = findPart(windowsKbFeed, 'msrc');

const withoutScan = 'facts of the offline scan file are missing';

export const guideSubjects: Readonly<Record<string, MirrorSubject>> = {
  "Microsoft's months": {
    part,
    count: 3788,
    says: ['KB31909343', withoutScan],
    records: () => guideRecords(),
  },
  'May 2026 of Microsoft': {
    part,
    documents: /cvrf\/2026-May$/,
    count: 123,
    says: [withoutScan],
    records: () => guideRecords(/2026-May/),
    isShort: true,
  },
};
