/** Anchors of the audit log, stored outside the database: one line for each entry that this process has written. */
import { appendFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const Line = z.object({ id: z.number().int(), time: z.number(), hash: z.string() });
/** Identifies an entry and its hash at the time of writing. */
export type Anchor = z.infer<typeof Line>;

export interface AuditAnchors {
  note(entries: readonly Anchor[]): void;
  /** Returns the anchors, oldest first. Skips unreadable lines, since a crash may have truncated the last one. */
  read(): readonly Anchor[];
  /** Renames the file when its database no longer exists, as after a restore. */
  retire(now: number): void;
}

/** The file loses its older half, some 8,000 entries, when it exceeds this size. */
const maxBytes = 1024 ** 2;

export function auditAnchors(dataDir: string): AuditAnchors {
  const path = join(dataDir, 'audit-anchor.log');
  return {
    note(entries) {
      if (entries.length === 0) return;
      const lines = entries.map(({ id, time, hash }) => `${JSON.stringify({ id, time, hash })}\n`);
      appendFileSync(path, lines.join(''), { mode: 0o600 });
      if (statSync(path).size > maxBytes) removeOlderHalf(path);
    },
    read: () => readLines(path).flatMap(parseAnchor),
    retire(now) {
      try {
        renameSync(
          path,
          join(
            dataDir,
            `audit-anchor.until-${new Date(now).toISOString().replaceAll(':', '')}.log`,
          ),
        );
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    },
  };
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function parseAnchor(line: string): Anchor[] {
  try {
    const read = Line.safeParse(JSON.parse(line));
    return read.success ? [read.data] : [];
  } catch {
    return [];
  }
}

function removeOlderHalf(path: string): void {
  const lines = readLines(path);
  const next = `${path}.next`;
  rmSync(next, { force: true });
  writeFileSync(next, lines.slice(Math.floor(lines.length / 2)).join('\n'), { mode: 0o600 });
  renameSync(next, path);
}
