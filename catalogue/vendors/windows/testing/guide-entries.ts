/** What the KB list makes of months and offered updates that a test writes. */
import type { Entry } from '../../../definition/feed.ts';
import { listDocument } from '../../../parsers/list-document.ts';
import { securityUpdateGuidePart } from '../security-update-guide.ts';
import { windowsKbBaseList } from '../windows-kb-base-list.ts';
import { architecturesOf } from '../windows-product.ts';
import { type GuideMonth, guideMonth } from './guide-month.ts';

export interface OfferedInTest {
  readonly kb: string;
  readonly title: string;
  readonly date?: string;
  readonly supersededBy?: readonly string[];
}

export interface GuideEntries {
  /** By KB and product id: 'KB1|11923'. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly remarks: readonly string[];
}

export async function guideEntries(
  months: readonly GuideMonth[],
  offered: readonly OfferedInTest[] = [],
): Promise<GuideEntries> {
  const records = offered.map(({ kb, title, date, supersededBy = [] }, place) => ({
    key: `update ${place}`,
    row: {
      kbId: kb,
      title,
      architecture: architecturesOf(title),
      releaseDate: date === undefined ? null : Date.parse(date),
    },
    detail: { supersededBy },
  }));
  const documents = [...months.map(guideMonth), listDocument(windowsKbBaseList, records)];
  const entries = new Map<string, Entry>();
  const remarks: string[] = [];
  for await (const reading of securityUpdateGuidePart.read({ documents, whole: true })) {
    if (reading.kind === 'entry') entries.set(reading.key, reading);
    else if (reading.kind === 'remark') remarks.push(reading.remark);
  }
  return { entries, remarks };
}
