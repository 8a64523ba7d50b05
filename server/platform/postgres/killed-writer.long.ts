/** Twenty kills at random moments of writing: of the service, of its PostgreSQL, of both. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killAndLook, victims } from '../../testing/killed-writer.ts';

const kills = Number(process.env['KILLS'] ?? 20);

describe('the embedded PostgreSQL', () => {
  let dataDir: string;
  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'killed-'));
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it.each(Array.from({ length: kills }, (_, index) => index))(
    'keeps every acknowledged row over kill %i',
    async (index) => {
      const victim = victims[index % victims.length] ?? 'both';
      const { row, last, rows } = await killAndLook(dataDir, victim, Math.random() * 1_500);
      expect(last).toBeGreaterThanOrEqual(row);
      expect(rows).toBe(last);
    },
  );
});
