/** The offline scan file of a mirror, read. */
import type { Entry, FeedItem } from '../../../definition/feed.ts';
import type { NewRow } from '../../../definition/list-definition.ts';
import { publicationFrom } from '../../../testing/publication-from.ts';
import { readingsOf } from '../../../testing/readings-of.ts';
import { offlineScanPart } from '../offline-scan.ts';
import type { windowsKbBaseList } from '../windows-kb-base-list.ts';

type Row = NewRow<(typeof windowsKbBaseList)['fields']>;

export interface KbEntry extends Entry {
  readonly row: Row;
  readonly detail: Readonly<{
    supersededBy: string[];
    supersedes: string[];
    cve: string[];
    uninstallNotes: string | null;
    fileDetails: Record<string, unknown>[];
  }>;
}

/** Of the scan file in the mirror. */
export const address =
  'catalog.s.download.windowsupdate.com/microsoftupdate/v6/wsusscan/wsusscn2.cab';

/** What the feed reads from it. */
export async function readingsFrom(mirror: URL): Promise<FeedItem[]> {
  return readingsOf(offlineScanPart, await offlineScanPart.contents(publicationFrom(mirror)));
}

/** The entries of one list. */
export const ofList = (readings: readonly FeedItem[], key: string) =>
  readings.filter(
    (reading): reading is KbEntry => reading.kind === 'entry' && reading.list.key === key,
  );
