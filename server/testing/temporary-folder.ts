/** Creates a folder that is removed after the tests of the file, or by the hook `removeAfter`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export function temporaryFolder(removeAfter: (remove: () => void) => void = afterAll): string {
  const folder = mkdtempSync(join(tmpdir(), 'patch-test-'));
  removeAfter(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
