import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DownloadFolder } from './download-folder.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'patch-download-folder-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

test('removes the file of a job, and the unfinished one that a terminated thread left', async () => {
  const files = new DownloadFolder(dataDir);
  for (const id of [1, 2])
    for (const path of [files.filePath(id), `${files.filePath(id)}.unfinished`])
      writeFileSync(path, 'x');
  await files.remove(1);
  expect(readdirSync(files.folder).toSorted()).toEqual([
    'job-2.gz',
    'job-2.gz.unfinished',
    'place.id',
  ]);
});
