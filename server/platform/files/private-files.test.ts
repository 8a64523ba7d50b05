import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { repairModes, warnOfLooseModes } from './private-files.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  chmodSync(folder, 0o755);
});

const readMode = (...path: string[]) => (statSync(join(folder, ...path)).mode & 0o777).toString(8);

function writeWithMode(path: string, mode: number): void {
  writeFileSync(join(folder, path), 'x');
  chmodSync(join(folder, path), mode);
}

describe('repairModes', () => {
  test('removes permissions of group and others at any depth', () => {
    mkdirSync(join(folder, 'downloads', 'base'), { recursive: true, mode: 0o755 });
    writeWithMode('downloads/base/1259', 0o666);
    mkdirSync(join(folder, 'formats'), { mode: 0o755 });
    writeWithMode('formats/osv.csv', 0o644);
    writeWithMode('secret.key', 0o640);
    writeWithMode('audit-anchor.log', 0o600);
    writeWithMode('audit-anchor.until-2026-11-26T000000.000Z.log', 0o600);
    expect(repairModes(folder)).toMatchObject({ repaired: { length: 7 }, loose: [] });
    expect([
      readMode(),
      readMode('downloads'),
      readMode('downloads', 'base'),
      readMode('downloads', 'base', '1259'),
      readMode('secret.key'),
    ]).toEqual(['700', '700', '700', '600', '600']);
    expect(repairModes(folder)).toEqual({ repaired: [], loose: [] });
  });

  test('lets one group pass through the folder, when PostgreSQL runs as another account', () => {
    // Only root gives a folder to a group that it is not in.
    const group = process.getuid?.() === 0 ? 65_534 : (process.getgid?.() ?? 0);
    writeWithMode('secret.key', 0o600);
    for (const mode of [0o777, 0o711, 0o700]) {
      chmodSync(folder, mode);
      repairModes(folder, group);
      expect([readMode(), statSync(folder).gid, readMode('secret.key')]).toEqual([
        '710',
        group,
        '600',
      ]);
    }
    repairModes(folder);
    expect(readMode()).toBe('700');
  });

  test('does not change a folder that other programs use, and reports why', () => {
    writeWithMode('holiday.jpg', 0o644);
    writeWithMode('secret.key', 0o644);
    expect(repairModes(folder)).toEqual({
      repaired: [join(folder, 'secret.key')],
      loose: [
        { path: folder, reason: expect.stringContaining('Give the service a folder of its own') },
      ],
    });
    expect([readMode(), readMode('holiday.jpg'), readMode('secret.key')]).toEqual([
      '755',
      '644',
      '600',
    ]);
  });

  test('does not follow links', () => {
    const outside = temporaryFolder(onTestFinished);
    writeFileSync(join(outside, 'passwd'), 'x');
    chmodSync(outside, 0o755);
    symlinkSync(outside, join(folder, 'logs'));
    repairModes(folder);
    expect((statSync(outside).mode & 0o777).toString(8)).toBe('755');
  });

  test('logs repaired files with a count and examples', () => {
    const logged: unknown[] = [];
    const log = { warn: (...words: unknown[]) => logged.push(words) };
    warnOfLooseModes({ repaired: [], loose: [] }, log as never);
    expect(logged).toEqual([]);
    warnOfLooseModes(
      { repaired: ['/d/secret.key'], loose: [{ path: '/d', reason: 'EPERM' }] },
      log as never,
    );
    expect(logged).toEqual([
      [
        { count: 1, examples: ['/d/secret.key'] },
        expect.stringContaining('could read or change files in DATA_DIR'),
      ],
      [{ path: '/d', reason: 'EPERM' }, expect.stringContaining('may be able to read')],
    ]);
  });
});
