/** Writes the measured rows as a script for psql, for the table that a Directus beside the product reads: npm run bench -- --only directus-rows. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { madeEntry } from './errata-generator.ts';

const head = `create extension if not exists pg_trgm;
drop table if exists bench_errata;
create table bench_errata (
  id integer, title text, release_date bigint, bulletin_id text, severity text, category text,
  packages text, os_versions text, cves text, description text
);
copy bench_errata from stdin;
`;

/** Directus compares texts without case as \`lower(column) like …\`, and keywords in every text. */
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
  for (let n = 0; n < rows; n += 1) if (!out.write(directusLine(n))) await once(out, 'drain');
  out.end(tail);
  await once(out, 'close');
}

/** A line in COPY's text format. */
export function directusLine(n: number): string {
  const { row, detail } = madeEntry(n);
  const list = (values: unknown) => (values as readonly string[]).join(', ');
  const values = [
    n + 1,
    row['title'],
    row['releaseDate'],
    row['bulletinId'],
    row['severity'],
    row['category'],
    list(row['binaryPkgName']),
    list(row['osVersion']),
    list(detail['cve']),
    detail['description'],
  ];
  return `${values.map((value) => escaped(String(value))).join('\t')}\n`;
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

const escaped = (value: string) => value.replace(/[\\\t\n\r]/g, (found) => escapes[found] ?? found);
