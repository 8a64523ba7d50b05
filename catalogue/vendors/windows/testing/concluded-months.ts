/** What is concluded of the KBs of written months of the security update guide. */
import { guideEntries, type OfferedInTest } from './guide-entries.ts';
import type { GuideFix, GuideMonth } from './guide-month.ts';

export const server = '11923';
const names = {
  [server]: 'Windows Server 2022',
  12097: 'Windows 10 Version 22H2 for x64-based Systems',
  11929: 'Windows 10 Version 21H2 for x64-based Systems',
  10816: 'Windows Server 2016',
  11571: 'Windows Server 2019',
  10483: 'Windows Server 2012 R2',
  12436: 'Windows Server 2025',
  9001: 'Microsoft Exchange Server 2019 Cumulative Update 14',
  9002: 'Microsoft SQL Server 2019 for x64-based Systems (GDR)',
  9003: 'Microsoft Office 2016 (64-bit edition)',
  9004: 'Microsoft .NET Framework 4.8 on Windows Server 2022',
};

/** The KB, its products (those of a server when absent), fixed build, type, the KB that it replaces, and its CVE. */
const written =
  /^(KB\d+)(?: on ([\d,]+))?(?: at ([\d.]+))?(?: as (.+?))?(?: over (\d+))?(?: of (CVE-\S+))?$/;

function fixOf(text: string): GuideFix {
  const [, kb, products = server, build, type = 'Security Update', supersedes, cve] =
    written.exec(text) ?? [];
  if (kb === undefined) throw new Error(`'${text}' is no fix`);
  return {
    kb,
    products: products.split(','),
    type,
    ...(build !== undefined && { build }),
    ...(supersedes !== undefined && { supersedes }),
    ...(cve !== undefined && { cve }),
  };
}

/** A month of 2024 by its number; a fix as in 'KB5000001 on 10483 at 6.3.9600.20246 as Security Only over 5000000 of CVE-2024-1'. */
export function month(number: number, ...fixes: readonly string[]): GuideMonth {
  const date = new Date(Date.UTC(2024, number - 1, 9, 8));
  const id = `2024-${date.toLocaleString('en', { month: 'short', timeZone: 'UTC' })}`;
  return { id, date: date.toISOString(), products: names, fixes: fixes.map(fixOf) };
}

interface Concluded extends Readonly<Record<string, unknown>> {
  readonly supersededBy: readonly string[];
}

export async function conclude(
  months: readonly GuideMonth[],
  offered: readonly OfferedInTest[] = [],
) {
  const { entries, remarks } = await guideEntries(months, offered);
  const of = (kb: string, product: string = server) => {
    const entry = entries.get(`${kb}|${product}`);
    if (entry === undefined) throw new Error(`no ${kb}|${product}`);
    return { ...entry.detail, ...entry.row } as Concluded;
  };
  /** Its line, the newest KB of that, the one to install, and those that replace it. */
  const shortly = (kb: string, product?: string): string => {
    const { line, latestKb, kbIdToBeInstalled, superseded, supersededBy } = of(kb, product);
    const state = superseded === true ? ['replaced by', ...supersededBy].join(' ') : 'current';
    return [line, latestKb, String(kbIdToBeInstalled), state].join(', ');
  };
  // That there is no scan file is told of most of these, and not what they are about.
  return {
    of,
    shortly,
    remarks: remarks.filter(
      (remark) => !remark.startsWith('what the offline scan file says of KBs is missing'),
    ),
  };
}
