/** Writes the records as a script for psql, for the table that a Directus beside the product reads: npm run bench -- --only directus-rows. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { madeEntry } from './errata-generator.ts';

const fields = ['title', 'releaseDate', 'bulletinId', 'severity', 'category', 'binaryPkgName'];
const head = `create extension if not exists pg_trgm;
drop table if exists bench_errata;
create table bench_errata (
  id integer, title text, release_date bigint, bulletin_id text, severity text, category text, packages text, cves text
);
copy bench_errata from stdin;
`;
/** Directus compares texts without case as `lower(column) like …`, and keywords in every text. */
const tail = `\\.
alter table bench_errata add primary key (id);
create index on bench_errata (release_date desc, id);
create index on bench_errata (title, id);
create index on bench_errata (bulletin_id);
create index on bench_errata using gin (title gin_trgm_ops);
create index on bench_errata using gin (lower(title) gin_trgm_ops);
create index on bench_errata using gin (lower(bulletin_id) gin_trgm_ops);
analyze bench_errata;
`;

export async function writeDirectusRows(path: string, rows: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const out = createWriteStream(path);
  out.write(head);
  for (let n = 0; n < rows; n += 1) {
    const { row, detail } = madeEntry(n);
    // Generated texts hold no tabs, line ends and backslashes, which COPY would take for its own.
    const values = [n + 1, ...fields.map((field) => row[field]), detail['cve']].map(String);
    if (!out.write(`${values.join('\t')}\n`)) await once(out, 'drain');
  }
  out.end(tail);
  await once(out, 'close');
}
