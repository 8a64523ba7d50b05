/** The state of a copy that follows a published tree: `<list>.state`, a line of JSON and the parts of the list's digest. */
import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ListParts } from '@patch/contract/tree/list-digest.ts';
import { z } from 'zod';
import type { CopyExtent, StateFormat } from './copied-list.ts';

export interface TreeState extends CopyExtent {
  readonly epoch: string;
  /** 0: nothing has been fetched. */
  readonly revision: number;
  /** Lines of the copy, also those that no longer count. */
  readonly lines: number;
  readonly parts: ListParts;
}

const count = z.number().int().min(0);
const StateLine = z.object({
  epoch: z.string(),
  revision: count,
  bytes: count,
  whole: z.boolean(),
  lines: count,
  rows: count,
  digest: z.string().regex(/^[\da-f]{32}$/),
  /** SHA-256 of the parts. */
  sha256: z.string(),
});

const ending = '.state';

export const treeFormat: StateFormat<TreeState> = {
  ending,
  nothing: { epoch: '', revision: 0, bytes: 0, whole: false, lines: 0, parts: ListParts.empty },
  read(bytes) {
    const end = bytes.indexOf(10);
    const line = readStateLine(bytes.subarray(0, Math.max(end, 0)));
    const partBytes = bytes.subarray(end + 1);
    if (line === null || hash('sha256', partBytes) !== line.sha256) return null;
    const { rows, digest, sha256: _, ...state } = line;
    const parts = ListParts.read(partBytes, digest);
    return parts?.rows === rows ? { ...state, parts } : null;
  },
  write({ parts, ...state }) {
    const bytes = Buffer.concat(parts.write());
    const { rows, digest } = parts;
    const line = { ...state, rows, digest, sha256: hash('sha256', bytes) };
    return [Buffer.from(`${JSON.stringify(line)}\n`), bytes];
  },
};

function readStateLine(bytes: Uint8Array): z.infer<typeof StateLine> | null {
  try {
    return StateLine.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return null;
  }
}

const mostPositions = 100;

/** Returns the revision of each list that is complete in the folder. */
export async function readPositions(folder: string): Promise<Readonly<Record<string, number>>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending));
  const positions: Record<string, number> = {};
  for (const name of names.slice(0, mostPositions)) {
    const state = treeFormat.read(await readFile(join(folder, name)));
    if (state?.whole === true) positions[name.slice(0, -ending.length)] = state.revision;
  }
  return positions;
}
