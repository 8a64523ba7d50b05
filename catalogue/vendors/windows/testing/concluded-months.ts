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

type Fix = Partial<GuideFix> & Pick<GuideFix, 'kb'>;

/** A month of 2024 by its number. */
export function month(number: number, ...fixes: readonly Fix[]): GuideMonth {
  const date = new Date(Date.UTC(2024, number - 1, 9, 8));
  const id = `2024-${date.toLocaleString('en', { month: 'short', timeZone: 'UTC' })}`;
  return {
    id,
    date: date.toISOString(),
    products: names,
    fixes: fixes.map((fix) => ({ type: 'Security Update', products: [server], ...fix })),
  };
}

export async function conclude(
  months: readonly GuideMonth[],
  offered: readonly OfferedInTest[] = [],
) {
  const { entries, remarks } = await guideEntries(months, offered);
  const of = (kb: string, product: string = server) => {
    const entry = entries.get(`${kb}|${product}`);
    if (entry === undefined) throw new Error(`no ${kb}|${product}`);
    const { latestKb, superseded, supersededBy, releaseDate } = entry.row;
    const { kbIdToBeInstalled, line, installEvidence, contradictions, releaseDateSource } =
      entry.detail;
    return {
      releaseDate,
      releaseDateSource,
      latestKb,
      superseded,
      supersededBy,
      kbIdToBeInstalled,
      line,
      installEvidence,
      contradictions,
    };
  };
  // That there is no scan file is told of most of these, and not what they are about.
  return {
    of,
    remarks: remarks.filter(
      (remark) => !remark.startsWith('what the offline scan file says of KBs is missing'),
    ),
  };
}
