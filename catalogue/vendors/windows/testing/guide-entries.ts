/** Entries of the KB list from months and offered updates that tests write. */
import type { Conclusion, Entry } from '../../../definition/feed.ts';
import { listDocument } from '../../../parsers/list-document.ts';
import { windowsKbBaseList } from '../lists/windows-kb-base-list.ts';
import { parseArchitectures } from '../names/windows-product.ts';
import { securityUpdateGuidePart } from '../security-update-guide.ts';
import { createGuideMonth, type GuideMonth } from './guide-month.ts';

export interface OfferedFixture {
  readonly kb: string;
  readonly title: string;
  readonly date?: string;
  readonly supersededBy?: readonly string[];
  /** Superseded as the file states it; by default when replacing updates are given. */
  readonly superseded?: boolean | null;
  /** Number of replacing updates that the file does not contain. */
  readonly unnamed?: number;
  readonly cve?: readonly string[];
}

export interface GuideEntries {
  /** By KB and product id: 'KB1|11923'. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** By list and the update's index among those offered: 'kb_repository 0'. */
  readonly conclusions: ReadonlyMap<string, Conclusion['values']>;
  readonly remarks: readonly string[];
}

export async function readGuideEntries(
  months: readonly GuideMonth[],
  offered: readonly OfferedFixture[] = [],
): Promise<GuideEntries> {
  const records = offered.map((update, index) => ({
    key: `${index}`,
    row: {
      uuid: `${index}`,
      kbId: update.kb,
      title: update.title,
      architecture: parseArchitectures(update.title),
    },
    detail: {
      ownDate: update.date === undefined ? null : Date.parse(update.date),
      ownSuperseded:
        update.superseded === undefined
          ? (update.supersededBy?.length ?? 0) > 0 || (update.unnamed ?? 0) > 0
          : update.superseded,
      ownSupersededBy: update.supersededBy ?? [],
      supersededUnnamed: update.unnamed ?? null,
      ownCve: update.cve ?? [],
    },
  }));
  const documents = [...months.map(createGuideMonth), listDocument(windowsKbBaseList, records)];
  const entries = new Map<string, Entry>();
  const conclusions = new Map<string, Conclusion['values']>();
  const remarks: string[] = [];
  for await (const reading of securityUpdateGuidePart.read({ documents, isComplete: true })) {
    if (reading.kind === 'entry') entries.set(reading.key, reading);
    else if (reading.kind === 'remark') remarks.push(reading.remark);
    else if (reading.kind === 'conclusion')
      conclusions.set(`${reading.list.key} ${reading.key}`, reading.values);
  }
  return { entries, conclusions, remarks };
}
