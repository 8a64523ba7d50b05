/** Names as the house wants them: kebab-case, each used once, none that says nothing; named exports only; no file that only passes on; no branch by the `in` operator. */
import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { inOperatorBranches } from './in-operator-branches.ts';
import { formerNameIn } from './prose/former-names.ts';
import { sourceFiles } from './source-files.ts';

const root = join(import.meta.dirname, '..');
const sayNothing = /^(index|utils?|helpers?|common|types|constants|misc|shared|lib)\.(ts|tsx|mjs)$/;
/** Files that tools find by their fixed name, and that may therefore repeat or export a default. */
const fixedByTools = /^(vite|vitest|playwright|knip)\.config\.ts$/;

const files = sourceFiles();
const complaints: string[] = [];
const placeOf = new Map<string, string>();

for (const file of files) {
  const name = basename(file);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|e2e|config|d))?\.(ts|tsx|mjs)$/.test(name))
    complaints.push(`${file}: file names are kebab-case`);
  if (sayNothing.test(name)) complaints.push(`${file}: this name does not say what is in the file`);
  const twin = placeOf.get(name);
  if (twin !== undefined && !fixedByTools.test(name))
    complaints.push(`${file}: ${twin} has the same name; no two files share one`);
  placeOf.set(name, file);

  const text = readFileSync(join(root, file), 'utf8');
  if (!file.startsWith('scripts/prose/'))
    for (const [index, line] of text.split('\n').entries()) {
      const former = formerNameIn(line);
      if (former !== null) complaints.push(`${file}:${index + 1}: ${former}`);
    }
  if (!file.endsWith('in-operator-branches.test.ts'))
    for (const line of inOperatorBranches(text))
      complaints.push(
        `${file}:${line}: give the union a tag \`kind\`; for unknown data use errorCode() or Object.hasOwn()`,
      );
  if (/^export default /m.test(text) && !fixedByTools.test(name))
    complaints.push(`${file}: exports have names, so that a search finds every use`);
  const statements = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').trim();
  if (
    statements !== '' &&
    /^(export\s+(type\s+)?(\*|\{[^}]*\})\s+from\s+'[^']+';?\s*)+$/.test(statements)
  )
    complaints.push(`${file}: only passes on what other files export; import those`);
  if (
    extname(name) !== '.mjs' &&
    /\b(interface|type) [IT][A-Z][a-z]\w*\s*[={<]/.test(statements) &&
    /\b(interface|type) [IT](?=[A-Z][a-z])/.test(statements)
  )
    for (const match of statements.matchAll(/\b(?:interface|type) ([IT][A-Z][a-z]\w*)/g))
      complaints.push(`${file}: ${match[1]}: types have no I or T before their name`);
}

// A checker that reads nothing is green too.
if (files.length < 100)
  complaints.push(`Only ${files.length} source files were found; the check itself must be broken`);
for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
process.stdout.write(`names: ${files.length} files read, ${complaints.length} complaints\n`);
process.exit(complaints.length > 0 ? 1 : 0);
