/** What Microsoft's security update guide writes, in the words of the list. */
import { distinctWords } from '../../shapes/vendor-words.ts';

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
  return distinctWords(withoutBulletins.match(/(?<!\d)\d{6,7}(?!\d)/g) ?? []).map((digits) => `KB${digits}`);
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

/** The documents contradict one another at times: the word that warns most counts. */
export function restartBehaviourOf(words: ReadonlySet<string>): string | null {
  if (words.has('yes')) return 'Required';
  if (words.has('maybe')) return 'Can request restart';
  return words.has('no') ? 'Not required' : null;
}

/** 'Publicly Disclosed:No;Exploited:Yes;Latest Software Release:Exploitation Detected' as 'Exploited, Exploitation Detected'. */
export function exploitabilityOf(status: string | null): string | null {
  if (status === null) return null;
  const words = new Map<string, string>();
  for (const part of status.split(';')) {
    const [name = '', word = ''] = part.split(':', 2);
    words.set(name.trim(), word.trim());
  }
  const assessment = words.get('Latest Software Release');
  const said = [
    words.get('Exploited') === 'Yes' ? 'Exploited' : null,
    words.get('Publicly Disclosed') === 'Yes' ? 'Publicly disclosed' : null,
    assessment === undefined || assessment === 'N/A' ? null : assessment,
  ].filter((word) => word !== null);
  if (said.length > 0) return said.join(', ');
  return words.get('Exploited') === 'No' ? 'Not exploited' : null;
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Titles and tags are written for a web page: their character references come through the XML once more encoded. */
export function withoutReferences(text: string): string {
  const plain = text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (reference, decimal, hexadecimal, name) => {
    if (name !== undefined) return characters[name.toLowerCase()] ?? reference;
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    return code > 0x1f && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff) ? String.fromCodePoint(code) : reference;
  });
  return plain.replaceAll(/\s+/g, ' ').trim();
}
