/** OSV records of advisories, and their validity by the schema. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Entry } from '../../definition/feed.ts';
import { sharedFolder } from '../../testing/shared-folder.ts';
import type { AdvisoryPart } from '../advisory-fixes.ts';
import { type OsvRecord, osvRecord } from '../osv-record.ts';

export const openFormats = sharedFolder('open-formats');

const risk = {
  vectors: ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'AV:N/AC:L/Au:N/C:P/I:P/A:P', 'none'],
  isExploited: true,
  epss: 0.5,
};

/** Returns the records of a list's advisories, without the time of a repository. */
export function toOsvRecords(entries: readonly Entry[], list: string): readonly OsvRecord[] {
  const own = entries.filter((entry) => entry.list.key === list);
  const byName = Map.groupBy(own, ({ row }) => String(row['bulletinId'] ?? row['noticeId']));
  return [...byName].flatMap(([identifier, group]) => {
    const [first, ...others] = group.map(
      ({ row, detail }): AdvisoryPart => ({ row, detail, withdrawn: null }),
    );
    const entry = group[0];
    if (first === undefined || entry === undefined) return [];
    return [osvRecord(entry.list, { identifier, modified: 0 }, [first, ...others], risk)];
  });
}

/** Returns the identifiers of records that the schema refuses. */
export function invalidRecords(records: readonly OsvRecord[]): readonly string[] {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const isValid = ajv.compile(
    JSON.parse(readFileSync(new URL('osv-schema.json', openFormats), 'utf8')) as object,
  );
  return records.filter((record) => !isValid(record)).map(({ id }) => id);
}
