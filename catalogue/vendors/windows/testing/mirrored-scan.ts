/** Readings of a mirror's offline scan file. */
import type { Entry, FeedItem } from '../../../definition/feed.ts';
import type { NewRow } from '../../../definition/list-definition.ts';
import { publicationFrom } from '../../../testing/publication-from.ts';
import { readAllItems } from '../../../testing/read-all-items.ts';
import type { windowsKbBaseList } from '../lists/windows-kb-base-list.ts';
import { offlineScanPart } from '../scan-file/offline-scan.ts';

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

/** Path of the scan file in the mirror. */
export const address =
  'catalog.s.download.windowsupdate.com/microsoftupdate/v6/wsusscan/wsusscn2.cab';

/** Reads the scan file by the feed. */
export async function readScan(mirror: URL): Promise<FeedItem[]> {
  return readAllItems(offlineScanPart, await offlineScanPart.contents(publicationFrom(mirror)));
}

/** Returns the entries of one list. */
export const filterByList = (readings: readonly FeedItem[], key: string) =>
  readings.filter(
    (reading): reading is KbEntry => reading.kind === 'entry' && reading.list.key === key,
  );
