/** `npm run new-family -- <name> --like <vendor>`: writes and registers a whole family, with every test green, to be made true step by step. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrationsFolder } from '@patch/server/platform/database/migrate.ts';
import { aptFamily } from './family/apt-family.ts';
import { type FamilyKind, kindLike } from './family/family-kind.ts';
import { FamilyError, type FamilyNames, familyNames } from './family/family-names.ts';
import type { FamilyFiles } from './family/family-template.ts';
import { jsonFamily } from './family/json-family.ts';
import { type RegistryEntry, registered } from './family/register-family.ts';
import { rpmFamily } from './family/rpm-family.ts';
import { vendorsFolder } from './family/vendor-folder-contents.ts';
import { repositoryRoot as root } from './generated-documents.ts';

const usage = `Adds a family of patches: list, feed, fixtures, tests, readme, migration and the lines in the registries.

  npm run new-family -- <name> --like <vendor> [--label "Amazon Linux"] [--address https://repo.example.org/]

<name>     the folder, and the beginning of its files, its list and its addresses: small letters and digits
--like     a vendor that publishes in the same form
--label    as people know it; the source is called after it (Amazon Linux: amazonLinux)
--address  where it publishes; https, a slash at its end
`;

const filesOf: Readonly<Record<FamilyKind, (names: FamilyNames) => FamilyFiles>> = {
  rpm: rpmFamily,
  apt: aptFamily,
  json: jsonFamily,
};

function entriesOf({ name, source }: FamilyNames): Readonly<Record<string, RegistryEntry>> {
  const imported = (what: string) =>
    `import { ${name}${what} } from './vendors/${name}/${name}-${what.toLowerCase()}.ts';`;
  return {
    'catalogue/lists.ts': {
      imported: imported('List'),
      entry: `  ${name}List,`,
      before: '] as const;',
    },
    'catalogue/feeds.ts': {
      imported: imported('Feed'),
      entry: `  ${source}: ${name}Feed,`,
      before: '};',
    },
  };
}

/** Throws FamilyError when the program that does this step fails. */
function step(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new FamilyError(`${args.join(' ')} failed, nothing was kept:\n${stdout}${stderr}`);
  return stdout;
}

/** Answers the files that were written. What was begun is taken back when a step fails. */
function writeFamily(names: FamilyNames, kind: FamilyKind): readonly string[] {
  const folder = join(vendorsFolder, names.name);
  const registries = Object.entries(entriesOf(names)).map(([file, entry]) => ({
    file,
    entry,
    before: readFileSync(join(root, file), 'utf8'),
  }));
  const migrations = new Set(readdirSync(migrationsFolder));
  const newMigrations = () => readdirSync(migrationsFolder).filter((file) => !migrations.has(file));
  try {
    for (const [path, text] of Object.entries(filesOf[kind](names))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    for (const { file, entry, before } of registries)
      writeFileSync(join(root, file), registered(before, entry));
    const changed = [`catalogue/vendors/${names.name}`, ...registries.map(({ file }) => file)];
    step(
      'node_modules/@biomejs/biome/bin/biome',
      'check',
      '--write',
      '--linter-enabled=false',
      ...changed,
    );
    step('scripts/write-fixtures.ts', names.name);
    step('scripts/new-migration.ts', `add-${names.name}`);
    step('scripts/write-documents.ts');
    return [
      ...changed,
      ...newMigrations().map((file) => `server/platform/database/migrations/${file}`),
      'docs/access.md',
      'docs/sources.md',
    ];
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    for (const { file, before } of registries) writeFileSync(join(root, file), before);
    for (const file of newMigrations()) rmSync(join(migrationsFolder, file));
    throw error;
  }
}

function main(): number {
  const { values, positionals } = parseArgs({
    options: {
      like: { type: 'string' },
      label: { type: 'string' },
      address: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
    allowPositionals: true,
  });
  if (values.help === true || positionals.length !== 1) {
    process.stdout.write(usage);
    return values.help === true ? 0 : 2;
  }
  const names = familyNames({ name: positionals[0], label: values.label, address: values.address });
  const kind = kindLike(values.like);
  if (!existsSync(join(root, 'node_modules/@biomejs/biome')))
    throw new FamilyError('The packages are not installed: run npm install.');
  for (const file of writeFamily(names, kind)) process.stdout.write(`${file}\n`);
  process.stdout.write(`
${names.label} is a family now, and every test is green. It reads what was drafted, from ${names.address}.
Make it true step by step: docs/how-to/add-a-family.md says how. After each step: npm run check -- family ${names.name}
`);
  return 0;
}

try {
  process.exitCode = main();
} catch (error) {
  const known =
    error instanceof FamilyError ||
    (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') === true;
  process.stderr.write(
    `${known ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`,
  );
  process.exitCode = known ? 2 : 1;
}
