/** Maps an advisory of the catalogue to a record of the OSV schema: https://ossf.github.io/osv-schema/ */
import type { ListDefinition } from '../definition/list-definition.ts';
import { fixesByRelease, type WrittenFixes } from '../machines/judgement/indexed-fixes.ts';
import type { PackageFix } from '../machines/judgement/machine-fixes.ts';
import { isLivepatch, isRetracted } from '../machines/judgement/package-record.ts';
import { rowsIn, type StoredValues, wordIn } from '../machines/judgement/stored-values.ts';
import { type AdvisoryPart, readAdvisoryFixes, selectPackages } from './advisory-fixes.ts';
import { csafVendor } from './csaf-lists.ts';
import { highestSeverity } from './highest-severity.ts';
import { osvEcosystem } from './osv-ecosystem.ts';
import { osvId } from './osv-id.ts';

/** Facts of the risk sources about the CVEs of an advisory. */
export interface AdvisoryRisk {
  /** The CVSS vectors of its CVEs, the highest score first. */
  readonly vectors: readonly string[];
  readonly isExploited: boolean | null;
  /** From 0 to 1. */
  readonly epss: number | null;
}

export interface OsvRecord {
  readonly schema_version: string;
  readonly id: string;
  readonly modified: string;
  readonly published?: string;
  readonly withdrawn?: string;
  readonly related: readonly string[];
  readonly upstream: readonly string[];
  readonly summary?: string;
  readonly details?: string;
  readonly severity?: readonly OsvSeverity[];
  readonly affected: readonly OsvAffected[];
  readonly references: readonly OsvReference[];
  readonly database_specific: Readonly<Record<string, unknown>>;
}

export interface OsvSeverity {
  readonly type: 'CVSS_V2' | 'CVSS_V3' | 'CVSS_V4';
  readonly score: string;
}

export interface OsvAffected {
  readonly package: { readonly ecosystem: string; readonly name: string };
  /** Absent for a live patch, which changes no version. */
  readonly ranges?: readonly {
    readonly type: 'ECOSYSTEM';
    readonly events: readonly [{ readonly introduced: '0' }, { readonly fixed: string }];
  }[];
  readonly ecosystem_specific?: Readonly<Record<string, unknown>>;
}

export interface OsvReference {
  readonly type: 'ADVISORY' | 'REPORT' | 'WEB';
  readonly url: string;
}

export interface OsvName {
  /** The vendor's: `ALSA-2025:1517`. */
  readonly identifier: string;
  /** When a record of the advisory last changed or was withdrawn, epoch milliseconds. */
  readonly modified: number;
}

/**
 * @param list - The list that holds the parts.
 * @param parts - All listed records of the advisory, withdrawn ones where none is listed.
 */
export function osvRecord(
  list: ListDefinition,
  { identifier, modified }: OsvName,
  parts: readonly [AdvisoryPart, ...AdvisoryPart[]],
  risk: AdvisoryRisk,
): OsvRecord {
  const [first] = parts;
  const cves = readTexts(parts, 'cve');
  const published = lowest(parts.flatMap(({ row }) => timesIn(row, ['published', 'releaseDate'])));
  const summary = wordIn(first.row, 'title');
  const details = wordIn(first.detail, 'description') ?? wordIn(first.detail, 'summary');
  const severity = severities(risk.vectors);
  const isWithdrawn = parts.every(
    ({ detail, withdrawn }) => withdrawn !== null || isRetracted(detail),
  );
  return {
    schema_version: '1.7.3',
    id: osvId(identifier),
    modified: isoTime(modified),
    ...(published !== null && { published: isoTime(published) }),
    ...(isWithdrawn && { withdrawn: isoTime(modified) }),
    related: [
      ...new Set([
        ...cves,
        ...mentionedCves(`${summary ?? ''}\n${details ?? ''}`),
        ...readTexts(parts, 'relatedNotices').map(osvId),
      ]),
    ],
    upstream: cves,
    ...(summary !== null && { summary }),
    ...(details !== null && { details }),
    ...(severity.length > 0 && { severity }),
    affected: affectedPackages(parts),
    references: references(parts),
    database_specific: {
      source: list.label,
      severity: highestSeverity(list, parts, csafVendor(list)),
      category: wordIn(first.row, 'category'),
      upstream_advisories: readTexts(parts, 'upstreamAdvisories'),
      known_exploited: risk.isExploited,
      epss: risk.epss,
    },
  };
}

/** Returns the CVEs that a text names: an advisory tells of earlier ones that it does not fix. */
const mentionedCves = (text: string) =>
  [...text.matchAll(/\bCVE-\d{4}-\d{4,19}\b/gi)].map(([cve]) => cve.toUpperCase());

const isoTime = (time: number): string => new Date(time).toISOString();

const lowest = (times: readonly number[]): number | null =>
  times.length === 0 ? null : Math.min(...times);

/** The first of the fields that holds a time. */
function timesIn(row: StoredValues, names: readonly string[]): readonly number[] {
  const time = names.map((name) => row[name]).find((value) => typeof value === 'number');
  return typeof time === 'number' ? [time] : [];
}

/** Texts of a fact of all parts, each once. */
function readTexts(parts: readonly AdvisoryPart[], name: string): readonly string[] {
  const texts = parts.flatMap(({ detail }) => detail[name] ?? []);
  return [...new Set(texts.filter((text) => typeof text === 'string'))];
}

/** The vector of the highest score for each version of CVSS. */
function severities(vectors: readonly string[]): readonly OsvSeverity[] {
  const byType = new Map<OsvSeverity['type'], string>();
  for (const vector of vectors) {
    const type = severityType(vector);
    if (type !== null && !byType.has(type)) byType.set(type, vector);
  }
  return [...byType].map(([type, score]) => ({ type, score }));
}

const vectorV4 =
  /^CVSS:4\.0\/AV:[NALP]\/AC:[LH]\/AT:[NP]\/PR:[NLH]\/UI:[NPA]\/VC:[HLN]\/VI:[HLN]\/VA:[HLN]\/SC:[HLN]\/SI:[HLN]\/SA:[HLN](?:\/[A-Z]{1,3}:[A-Za-z]+)*$/;
const vectorV3 = /^CVSS:3\.[01](?:\/(?:AV|AC|PR|UI|S|C|I|A|E|RL|RC|[CIA]R|M[A-Z]{1,2}):[A-Z])+$/;
const vectorV2 = /^(?:AV|AC|Au):[A-Z](?:\/(?:AV|AC|Au|C|I|A|E|RL|RC|CDP|TD|[CIA]R):[A-Z]{1,3})+$/;

function severityType(vector: string): OsvSeverity['type'] | null {
  if (vectorV4.test(vector)) return 'CVSS_V4';
  if (vectorV3.test(vector)) return 'CVSS_V3';
  return vectorV2.test(vector) ? 'CVSS_V2' : null;
}

/** Packages with a fix, once for each ecosystem, name, version and module stream. The schema names source packages for Debian and Ubuntu. */
function affectedPackages(parts: readonly AdvisoryPart[]): readonly OsvAffected[] {
  const affected = new Map<string, OsvAffected>();
  const add = ({ release, fixes }: WrittenFixes, hasVersion: boolean) => {
    for (const [ecosystem, own] of Map.groupBy(fixes, (fix) => osvEcosystem(release, fix))) {
      if (ecosystem === null) continue;
      for (const fix of selectPackages(own)) {
        const key = [ecosystem, fix.name, hasVersion ? fix.version : '', fix.module].join('\n');
        affected.set(key, toAffected(ecosystem, fix, own, hasVersion));
      }
    }
  };
  for (const part of parts) {
    const isLive = isLivepatch(part.row);
    const written = isLive ? fixesByRelease(part.row, part.detail) : readAdvisoryFixes(part);
    for (const fixes of written) add(fixes, !isLive);
  }
  return [...affected.values()];
}

/** @param all - All fixes of the record in the ecosystem. */
function toAffected(
  ecosystem: string,
  fix: PackageFix,
  all: readonly PackageFix[],
  hasVersion: boolean,
): OsvAffected {
  const architectures = listArchitectures(all, fix);
  const specific = {
    ...(fix.module !== null && { module: fix.module }),
    ...(architectures.length > 0 && { architectures }),
    ...(fix.by === 'source' && { binaries: listBinaries(all) }),
  };
  return {
    package: { ecosystem, name: fix.name },
    ...(hasVersion && {
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: fix.version }] }],
    }),
    ...(Object.keys(specific).length > 0 && { ecosystem_specific: specific }),
  };
}

function listArchitectures(fixes: readonly PackageFix[], { name, version }: PackageFix) {
  const own = fixes.filter((fix) => fix.name === name && fix.version === version);
  return [...new Set(own.flatMap(({ architecture }) => architecture ?? []))].toSorted();
}

function listBinaries(fixes: readonly PackageFix[]) {
  const binaries = fixes.filter(({ by }) => by === 'binary');
  const versions = new Map(binaries.map(({ name, version }) => [name, version]));
  return [...versions].map(([name, version]) => ({
    binary_name: name,
    binary_version: version,
  }));
}

function references(parts: readonly AdvisoryPart[]): readonly OsvReference[] {
  const urls = new Map<string, OsvReference['type']>();
  for (const { detail } of parts) {
    const advisory = wordIn(detail, 'referenceLink');
    if (advisory !== null) urls.set(advisory, 'ADVISORY');
    for (const row of rowsIn(detail, 'references')) {
      const address = wordIn(row, 'address');
      if (address !== null && !urls.has(address))
        urls.set(address, referenceType(wordIn(row, 'type')));
    }
  }
  return [...urls]
    .filter(([url]) => URL.canParse(url))
    .map(([url, type]) => ({ type, url: new URL(url).href }));
}

function referenceType(type: string | null): OsvReference['type'] {
  if (type === 'bugzilla') return 'REPORT';
  return type === 'self' || type === 'rhsa' ? 'ADVISORY' : 'WEB';
}
