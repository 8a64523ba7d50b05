/** `npm run docs`: writes every document that is generated from the code; with `--check` it only names those that are stale, and fails. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedDocuments, repositoryRoot, staleDocuments } from './generated-documents.ts';

const stale = await staleDocuments();
if (process.argv.includes('--check')) {
  for (const { file } of stale)
    process.stdout.write(`${file} is stale: run npm run docs and commit it.\n`);
  process.stdout.write(`documents: ${generatedDocuments.length} checked, ${stale.length} stale\n`);
  process.exit(stale.length > 0 ? 1 : 0);
}
for (const { file, text } of stale) {
  writeFileSync(join(repositoryRoot, file), text);
  process.stdout.write(`${file}: written\n`);
}
if (stale.length === 0)
  process.stdout.write(`All ${generatedDocuments.length} generated documents are up to date.\n`);
