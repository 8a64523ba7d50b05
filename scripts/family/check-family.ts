/** `npm run check -- family <name>`: what concerns one vendor's folder, in less than a minute; the rest is for the whole check. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { sumsLine } from '../sums.ts';
import { testsOfEach } from './enumerating-tests.ts';
import {
  type VendorFolderContents,
  vendorFolderContents,
  vendorNames,
} from './vendor-folder-contents.ts';

const root = join(import.meta.dirname, '..', '..');

interface Check {
  readonly name: string;
  readonly args: readonly string[];
}

/** The cheap ones first, so that what is wrong is told early. */
function checksOf({ vendor, lists, feeds }: VendorFolderContents): readonly Check[] {
  const folder = `catalogue/vendors/${vendor}`;
  const files = [folder, 'catalogue/lists.ts', 'catalogue/feeds.ts'];
  const words = [
    ...lists.map(([, list]) => list),
    ...feeds.flatMap(([, feed]) => feed.fills),
  ].flatMap(({ source, key, label }) => [source ?? '', key, label]);
  const own = [...new Set(words.filter((word) => word !== ''))].map((word) =>
    word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot'];
  return [
    { name: 'families', args: ['scripts/check-families.ts'] },
    { name: 'documents', args: ['scripts/write-documents.ts', '--check'] },
    { name: 'names', args: ['scripts/check-names.ts'] },
    {
      name: 'format',
      args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--linter-enabled=false', ...files],
    },
    { name: 'types (catalogue)', args: ['node_modules/typescript/bin/tsc', '-p', 'catalogue'] },
    {
      name: 'lint',
      args: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', ...files],
    },
    {
      name: 'its own tests, and those over all lists',
      args: [...vitest, folder, 'catalogue/lists.test.ts'],
    },
    {
      name: 'the laws for each list and source, for this one over its fixtures',
      args: [
        ...vitest,
        '--testNamePattern',
        `(^|[^\\w])(${own.join('|')})([^\\w]|$)`,
        ...testsOfEach({ onFixtures: true }),
      ],
    },
  ];
}

/** How many checks run at once. */
const atOnce = 2;

/** Answers the exit code: 0 when every check passed, 1 when one failed, 2 when there is no such vendor. */
export async function checkFamily(name: string | undefined): Promise<number> {
  const contents = name === undefined ? null : await vendorFolderContents(name);
  if (contents === null) {
    const what = name === undefined ? 'Name the vendor' : `There is no vendor '${name}'`;
    process.stderr.write(
      `${what}: npm run check -- family <name>. The vendors are: ${vendorNames().join(', ')}.\n`,
    );
    return 2;
  }
  const started = performance.now();
  const waiting = [...checksOf(contents)];
  const count = waiting.length;
  let failed = 0;
  async function work(): Promise<void> {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift())
      if (!(await passes(check))) failed += 1;
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  process.stdout.write(
    `\nfamily ${contents.vendor}: ${sumsLine({ passed: count - failed, failed, skipped: 0 })} in ${seconds} s\n`,
  );
  return failed > 0 ? 1 : 0;
}

/** What a check says is shown when it fails. */
function passes({ name, args }: Check): Promise<boolean> {
  const began = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => (said += piece.toString()));
    child.once('close', (code) => {
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      process.stdout.write(
        `${code === 0 ? '' : said}${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`,
      );
      resolve(code === 0);
    });
  });
}
