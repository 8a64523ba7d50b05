/** The sections of `npm run test:long`: each is a project of vitest that runs alone in less than 20 minutes. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface LongSection {
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '..');

/** Returns the test files that repeat more in the section `rounds`. */
const filesWithRounds = (): readonly string[] =>
  globSync('{catalogue,client,server}/**/*.test.ts', { cwd: root }).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes('/testing/rounds.ts'),
  );

const sections = {
  /** Random searches by the ten thousand, and each operator of each field over many rows. */
  searches: { include: ['server/records/**/*.long.ts'] },
  /** Mutated documents and inventories in full number, and archives that unpack to gigabytes. */
  documents: {
    include: ['{catalogue,contract}/**/*.long.ts', 'server/machines/**/*.long.ts'],
  },
  /** A sync of every source of the feed mirror, with its later states. */
  mirror: { include: ['server/ingest/**/*.long.ts', 'server/operations/downloads/**/*.long.ts'] },
  /** Package managers and Ansible read what the product writes, and change machines in folders by it. */
  tools: {
    include: ['server/fleet/plan/**/*.long.ts', 'server/formats/updateinfo/**/*.long.ts'],
  },
  /** Several processes, kills, dumps and clients of the whole service: everything that has no other section. */
  processes: {
    include: ['{server,client,bench}/**/*.long.ts'],
    exclude: [
      'server/records/**',
      'server/machines/**',
      'server/ingest/**',
      'server/operations/downloads/**',
      'server/fleet/plan/**',
      'server/formats/updateinfo/**',
    ],
  },
  /** Tests of `npm test` that repeat something at random, four times as often. */
  rounds: { include: filesWithRounds(), env: { ALL_ROUNDS: 'true' } },
  /** Faults planted in a copy of the repository, each caught by `npm test`. */
  faults: { include: ['scripts/planted-faults.long.ts'] },
  /** The steps of each how-to, followed in a copy of the repository. */
  'how-tos': { include: ['scripts/**/*.long.ts'], exclude: ['scripts/planted-faults.long.ts'] },
} as const satisfies Readonly<Record<string, LongSection>>;

export const longSections: Readonly<Record<string, LongSection>> = sections;
