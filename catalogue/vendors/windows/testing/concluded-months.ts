/** Conclusions about KBs from months of the security update guide that tests write. */
import { type OfferedFixture, readGuideEntries } from './guide-entries.ts';
import type { GuideFix, GuideMonth } from './guide-month.ts';

export const server = '11923';
const names = {
  [server]: 'Windows Server 2022',
  12097: 'Windows 10 Version 22H2 for x64-based Systems',
  11929: 'Windows 10 Version 21H2 for x64-based Systems',
  10816: 'Windows Server 2016',
  11571: 'Windows Server 2019',
  10483: 'Windows Server 2012 R2',
  10482: 'Windows 8.1 for x64-based systems',
  10735: 'Windows 10 for x64-based Systems',
  11802: 'Windows 10 Version 20H2 for x64-based Systems',
  11453: 'Windows 10 Version 1709 for x64-based Systems',
  12436: 'Windows Server 2025',
  9001: 'Microsoft Exchange Server 2019 Cumulative Update 14',
  9002: 'Microsoft SQL Server 2019 for x64-based Systems (GDR)',
  9003: 'Microsoft Office 2016 (64-bit edition)',
  9004: 'Microsoft .NET Framework 4.8 on Windows Server 2022',
};

/** The answer to the FAQ of CVE-2020-0689. */
export const additional =
  'These are standalone security updates. These packages must be installed in addition to the normal security updates to be protected from this vulnerability.';

/** Matches a KB, its products (a server when absent), fixed build, type, the KB that it replaces, its CVE, and whether its FAQ calls it separate. */
const written =
  /^(KB\d+)(?: on ([\d,]+))?(?: at (V?[\d.]+))?(?: as (.+?))?(?: over (\d+))?(?: of (CVE-\S+))?(?: beside)?$/;

function parseFix(text: string): GuideFix {
  const [, kb, products = server, build, type = 'Security Update', supersedes, cve] =
    written.exec(text) ?? [];
  if (kb === undefined) throw new Error(`'${text}' is not a fix`);
  return {
    kb,
    products: products.split(','),
    type,
    ...(build !== undefined && { build }),
    ...(supersedes !== undefined && { supersedes }),
    ...(cve !== undefined && { cve }),
    ...(text.endsWith(' beside') && { faq: additional }),
  };
}

/** Creates a month of 2024 by its number; a fix is 'KB5000001 on 10483 at 6.3.9600.20246 as Security Only over 5000000 of CVE-2024-0001'. */
export function month(number: number, ...fixes: readonly string[]): GuideMonth {
  const date = new Date(Date.UTC(2024, number - 1, 9, 8));
  const id = `2024-${date.toLocaleString('en', { month: 'short', timeZone: 'UTC' })}`;
  return { id, date: date.toISOString(), products: names, fixes: fixes.map(parseFix) };
}

interface ConcludedKb extends Readonly<Record<string, unknown>> {
  readonly supersededBy: readonly string[];
}

export async function conclude(
  months: readonly GuideMonth[],
  offered: readonly OfferedFixture[] = [],
) {
  const { entries, remarks } = await readGuideEntries(months, offered);
  const getFacts = (kb: string, product: string = server) => {
    const entry = entries.get(`${kb}|${product}`);
    if (entry === undefined) throw new Error(`no ${kb}|${product}`);
    return { ...entry.detail, ...entry.row } as ConcludedKb;
  };
  /** Returns the line, the newest KB of the chain, the KB to install, and the direct replacements. */
  const summarise = (kb: string, product?: string): string => {
    const { line, latestKb, kbIdToBeInstalled, superseded, supersededBy } = getFacts(kb, product);
    const state = superseded === true ? ['replaced by', ...supersededBy].join(' ') : 'current';
    return [line, latestKb, String(kbIdToBeInstalled), state].join(', ');
  };
  // Most tests have no scan file; the remark on it is left out.
  return {
    of: getFacts,
    shortly: summarise,
    remarks: remarks.filter(
      (remark) => !remark.startsWith('facts of the offline scan file are missing'),
    ),
  };
}
