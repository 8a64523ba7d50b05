/** Maps words of Microsoft's security update guide to those of the list. */
import type { UnknownWord } from '../../../definition/feed.ts';
import type { CvrfVulnerability } from '../../../parsers/cvrf-document.ts';
import { findUnknownSeverity } from '../../../schemas/severities.ts';
import { distinctWords, findCveIds, toWord } from '../../../values/vendor-words.ts';
import { compareNaturally } from '../names/compare-naturally.ts';

/** Returns 'KB5034441' for '5034441' and 'KB5034441'; null for other words: 'Release Notes', 'Click to Run', Azure Linux packages. */
export function parseKb(description: string | null): string | null {
  const digits = /^\s*(?:KB)?\s*(\d{6,7})\s*$/i.exec(description ?? '')?.[1];
  return digits === undefined ? null : `KB${digits}`;
}

/** Finds CVEs and advisories of Microsoft's: ADV220005. */
export function findVulnerabilityIds(texts: readonly (string | null)[]): string[] {
  return distinctWords(
    texts.flatMap((text) => [
      ...findCveIds([text]),
      ...(toWord(text)
        ?.toUpperCase()
        .match(/(?<![\w-])ADV\d{6}(?![\w-])/g) ?? []),
    ]),
  );
}

/** Tells whether the description is meant as a KB but has too few or too many digits. */
export function isBrokenKb(description: string | null): boolean {
  return parseKb(description) === null && /^\s*(?:KB\s*)?\d+\s*$/i.test(description ?? '');
}

/** Returns the KBs in '5034122', '5020690, 5018549', 'MS16-016, 3124280; …' or '5034122<br><br>'; bulletins and versions are ignored. */
export function parseSupersededKbs(supercedence: string | undefined): string[] {
  const withoutBulletins = supercedence?.replaceAll(/MS\d\d-\d+/gi, ' ') ?? '';
  return distinctWords(withoutBulletins.match(/(?<!\d)\d{6,7}(?!\d)/g) ?? []).map(
    (digits) => `KB${digits}`,
  );
}

/** Unifies spellings; the guide has four for the hotpatch alone. */
export function normaliseUpdateType(subType: string | undefined): string | null {
  const words = subType?.replaceAll(/\s+/g, ' ').trim() || null;
  return words !== null && /hot ?patch/i.test(words) ? 'Security Hotpatch Update' : words;
}

/** Returns the type as Microsoft's titles write it. */
export function formatUpdateType(updateType: string | null): string {
  if (updateType === null) return 'Security Update';
  return /^(Security Only|IE Cumulative)$/i.test(updateType) ? `${updateType} Update` : updateType;
}

/** Meanings of Microsoft's restart words, the strictest first. */
const restarts: readonly (readonly [vendorWord: string, words: string])[] = [
  ['yes', 'Required'],
  ['maybe', 'Can request restart'],
  ['no', 'Not required'],
];

/** Returns the strictest of the documents' words, which sometimes differ. Without a known word, an unknown one is returned as written. */
export function toRestartBehaviour(written: ReadonlySet<string>): string | null {
  const folded = new Set([...written].map((word) => word.toLowerCase()));
  const strongest = restarts.find(([word]) => folded.has(word));
  return strongest?.[1] ?? findUnknownRestarts(written)[0]?.word ?? null;
}

export function findUnknownRestarts(written: ReadonlySet<string>): UnknownWord[] {
  return [...written]
    .filter((word) => !restarts.some(([known]) => known === word.toLowerCase()))
    .toSorted(compareNaturally)
    .map((word) => ({ vocabulary: 'restart behaviour', word, shownAs: null }));
}

const remediationTypes: readonly string[] = [
  'Vendor Fix',
  'Release Notes',
  'Known Issue',
  'Mitigation',
  'Workaround',
  'None Available',
  'Will Not Fix',
];
const threatTypes: readonly string[] = ['Impact', 'Severity', 'Exploit Status', 'Target Set'];

/** STRIDE in Microsoft's words, and 'Defense in Depth' for issues that are not vulnerabilities by themselves. */
const impacts: readonly string[] = [
  'Elevation of Privilege',
  'Remote Code Execution',
  'Information Disclosure',
  'Denial of Service',
  'Security Feature Bypass',
  'Spoofing',
  'Tampering',
  'Defense in Depth',
];

function findUnknownImpact(description: string | null): UnknownWord[] {
  const word = description?.trim() ?? '';
  if (word === '' || impacts.some((known) => known.toLowerCase() === word.toLowerCase())) return [];
  return [{ vocabulary: 'impact', word, shownAs: null }];
}

/** Finds unknown words that decide how a vulnerability is read. */
export function findUnknownMsrcWords({
  remediations,
  threats,
}: Pick<CvrfVulnerability, 'remediations' | 'threats'>): UnknownWord[] {
  const types = (
    vocabulary: string,
    written: readonly { readonly type: string }[],
    known: readonly string[],
  ) =>
    distinctWords(written.map(({ type }) => type))
      .filter((type) => !known.includes(type))
      .map((word) => ({ vocabulary, word, shownAs: 'nothing' }));
  return [
    ...threats.flatMap(({ type, description }) =>
      type === 'Severity' ? findUnknownSeverity(description) : [],
    ),
    ...threats.flatMap(({ type, description }) =>
      type === 'Impact' ? findUnknownImpact(description) : [],
    ),
    ...types('remediation type', remediations, remediationTypes),
    ...types('threat type', threats, threatTypes),
  ];
}

const characters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Decodes character references: titles and tags are written for a web page and doubly encoded in the XML. */
export function decodeReferences(text: string): string {
  const plain = text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi,
    (reference, decimal, hexadecimal, name) => {
      if (name !== undefined) return characters[name.toLowerCase()] ?? reference;
      const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
      return code > 0x1f && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff)
        ? String.fromCodePoint(code)
        : reference;
    },
  );
  return plain.replaceAll(/\s+/g, ' ').trim();
}
