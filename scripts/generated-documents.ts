/** The documents that are written from the code: what each must say now, and which files say something else. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@patch/contract/endpoints.ts';
import { accessTable } from './access-table.ts';
import { sourceTable } from './source-table.ts';

interface GeneratedDocument {
  /** Relative to the root. */
  readonly file: string;
  readonly text: () => string;
}

export const repositoryRoot = join(import.meta.dirname, '..');

export const generatedDocuments: readonly GeneratedDocument[] = [
  { file: 'docs/access.md', text: () => accessTable(endpoints) },
  { file: 'docs/sources.md', text: sourceTable },
];

export function staleDocuments(root: string = repositoryRoot): readonly GeneratedDocument[] {
  const written = (file: string) =>
    existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : null;
  return generatedDocuments.filter(({ file, text }) => written(file) !== text());
}
