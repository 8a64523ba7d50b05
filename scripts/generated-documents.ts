/** The documents that are written from the code: what each must say now, and which files say something else. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@patch/contract/endpoints.ts';
import { accessTable } from './access-table.ts';
import { architecturePage } from './architecture-page.ts';
import { readImports } from './read-imports.ts';
import { sourceTable } from './source-table.ts';

interface GeneratedDocument {
  /** Relative to the root. */
  readonly file: string;
  readonly text: () => string | Promise<string>;
}

export const repositoryRoot = join(import.meta.dirname, '..');

export const generatedDocuments: readonly GeneratedDocument[] = [
  { file: 'docs/access.md', text: () => accessTable(endpoints) },
  { file: 'docs/sources.md', text: sourceTable },
  {
    file: 'docs/architecture.md',
    text: async () =>
      architecturePage(
        readFileSync(join(repositoryRoot, 'docs', 'architecture.md'), 'utf8'),
        await readImports(),
      ),
  },
];

export interface StaleDocument {
  /** Relative to the root. */
  readonly file: string;
  /** What it must say. */
  readonly text: string;
}

export async function staleDocuments(
  root: string = repositoryRoot,
): Promise<readonly StaleDocument[]> {
  const written = (file: string) =>
    existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : null;
  const documents = await Promise.all(
    generatedDocuments.map(async ({ file, text }) => ({ file, text: await text() })),
  );
  return documents.filter(({ file, text }) => written(file) !== text);
}
