/** What Microsoft's security update guide writes, in the words of the list. */
import type { UnknownWord } from '../../definition/feed.ts';
import type { CvrfVulnerability } from '../../parsers/cvrf-document.ts';
import { unknownSeverity } from '../../schemas/severities.ts';
import { distinctWords } from '../../values/vendor-words.ts';
import { compareNaturally } from './compare-naturally.ts';

/** 'KB5034441' of '5034441' and 'KB5034441'; null for what is no KB: 'Release Notes', 'Click to Run', a package of Azure Linux. */
export function kbOf(description: string | null): string | null {
  const digits = /^\s*(?:KB)?\s*(\d{6,7})\s*$/i.exec(description ?? '')?.[1];
  return digits === undefined ? null : `KB${digits}`;
}

/** Meant as a KB and none: it has too few digits or too many. */
export function isBrokenKb(description: string | null): boolean {
  return kbOf(description) === null && /^\s*(?:KB\s*)?\d+\s*$/i.test(description ?? '');
}

/** The KBs in '5034122', '5020690, 5018549', 'MS16-016, 3124280; …', '5034122<br><br>', 'None'. Bulletins and versions are none. */
export function supersededKbs(supercedence: string | undefined): string[] {
  const withoutBulletins = supercedence?.replaceAll(/MS\d\d-\d+/gi, ' ') ?? '';
  return distinctWords(withoutBulletins.match(/(?<!\d)\d{6,7}(?!\d)/g) ?? []).map(
    (digits) => `KB${digits}`,
  );
}

/** One spelling of each; the guide has four for the hotpatch alone. */
export function updateTypeOf(subType: string | undefined): string | null {
  const words = subType?.replaceAll(/\s+/g, ' ').trim() || null;
  return words !== null && /hot ?patch/i.test(words) ? 'Security Hotpatch Update' : words;
}

/** As a title of Microsoft's would say it. */
export function updateTypeInTitle(updateType: string | null): string {
  if (updateType === null) return 'Security Update';
  return /^(Security Only|IE Cumulative)$/i.test(updateType) ? `${updateType} Update` : updateType;
}

/** What each word means; the one that warns most comes first. */
const restarts: readonly (readonly [vendorWord: string, words: string])[] = [
  ['yes', 'Required'],
  ['maybe', 'Can request restart'],
  ['no', 'Not required'],
];

/** The documents contradict one another at times: the word that warns most counts. One that is not known stands for itself, behind all others. */
export function restartBehaviourOf(said: ReadonlySet<string>): string | null {
  const folded = new Set([...said].map((word) => word.toLowerCase()));
  const strongest = restarts.find(([word]) => folded.has(word));
  return strongest?.[1] ?? unknownRestarts(said)[0]?.word ?? null;
}

export function unknownRestarts(said: ReadonlySet<string>): UnknownWord[] {
  return [...said]
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

/** STRIDE in Microsoft's words; 'Defense in Depth' is told of what is no vulnerability by itself. */
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

function unknownImpact(description: string | null): UnknownWord[] {
  const word = description?.trim() ?? '';
  if (word === '' || impacts.some((known) => known.toLowerCase() === word.toLowerCase())) return [];
  return [{ vocabulary: 'impact', word, shownAs: null }];
}

/** Words of a vulnerability that decide how it is read. */
export function unknownMsrcWords({
  remediations,
  threats,
}: Pick<CvrfVulnerability, 'remediations' | 'threats'>): UnknownWord[] {
  const types = (
    vocabulary: string,
    said: readonly { readonly type: string }[],
    known: readonly string[],
  ) =>
    distinctWords(said.map(({ type }) => type))
      .filter((type) => !known.includes(type))
      .map((word) => ({ vocabulary, word, shownAs: 'nothing' }));
  return [
    ...threats.flatMap(({ type, description }) =>
      type === 'Severity' ? unknownSeverity(description) : [],
    ),
    ...threats.flatMap(({ type, description }) =>
      type === 'Impact' ? unknownImpact(description) : [],
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

/** Titles and tags are written for a web page: their character references come through the XML once more encoded. */
export function withoutReferences(text: string): string {
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
