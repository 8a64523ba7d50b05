/** The sections of `npm run test:long`: each is a project of vitest that runs alone in less than 20 minutes. */
interface LongSection {
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
}

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
  /** Faults planted in a copy of the repository, each caught by `npm test`. */
  faults: { include: ['scripts/planted-faults.long.ts'] },
  /** The steps of each how-to, followed in a copy of the repository. */
  'how-tos': { include: ['scripts/**/*.long.ts'], exclude: ['scripts/planted-faults.long.ts'] },
} as const satisfies Readonly<Record<string, LongSection>>;

export const longSections: Readonly<Record<string, LongSection>> = sections;
