import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeDirectusRows } from './directus-rows.ts';
import { madeEntry } from './errata-generator.ts';

test('writes each row once, between the table and its indexes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'directus-rows-'));
  try {
    const path = join(folder, 'rows.sql');
    await writeDirectusRows(path, 3);
    const text = await readFile(path, 'utf8');
    const [, rows = ''] = /from stdin;\n(.*)\\\.\nalter table/s.exec(text) ?? [];
    const lines = rows.trimEnd().split('\n');
    expect(lines.map((line) => line.split('\t').length)).toEqual([10, 10, 10]);
    expect(lines.map((line) => line.split('\t')[3])).toEqual(
      [0, 1, 2].map((n) => madeEntry(n).row['bulletinId']),
    );
    expect(text).toContain('using gin (lower(title) gin_trgm_ops)');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
