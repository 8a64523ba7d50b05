/** Measures the product and prints tables: npm run bench -- [--only searches|sync|reading|clients|checkpoints|tree|machines|delays|idle|directus-rows] [--rows 1000000] [--seed 1] [--calls 40] [--clients 2000] [--machines 10000] [--fleet updated|mixed] [--megabytes 100] [--seconds 60] [--sources almaLinux,centOs]. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BenchOptions } from './bench-options.ts';
import { machineFacts } from './bench-table.ts';
import { checkpointsSection } from './checkpoints-section.ts';
import { clientsSection } from './clients-section.ts';
import { delaysSection } from './delays-section.ts';
import { writeDirectusRows } from './directus-rows.ts';
import { idleSection } from './idle-section.ts';
import { machinesSection } from './machines-section.ts';
import { readingSection } from './reading-section.ts';
import { searchesSection } from './searches-section.ts';
import { syncSection } from './sync-section.ts';
import { treeSection } from './tree-section.ts';

const sections: Readonly<Record<string, (options: BenchOptions) => Promise<string>>> = {
  searches: searchesSection,
  sync: syncSection,
  reading: readingSection,
  clients: clientsSection,
  checkpoints: checkpointsSection,
  tree: treeSection,
  machines: machinesSection,
  delays: delaysSection,
  idle: idleSection,
};

const text = (value: string) => ({ type: 'string', default: value }) as const;
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    sources: { type: 'string' },
    rows: text('1000000'),
    seed: text('1'),
    calls: text('40'),
    clients: text('2000'),
    machines: text('10000'),
    fleet: text('updated'),
    megabytes: text('100'),
    seconds: text('60'),
  },
});
const { only, sources } = values;

const options: BenchOptions = {
  rows: Number(values.rows),
  seed: Number(values.seed),
  calls: Number(values.calls),
  clients: Number(values.clients),
  machines: Number(values.machines),
  fleet: values.fleet === 'mixed' ? 'mixed' : 'updated',
  megabytes: Number(values.megabytes),
  seconds: Number(values.seconds),
  sources: sources?.split(',') ?? null,
  cache: fileURLToPath(new URL('../.cache/bench', import.meta.url)),
  // Progress is apart from the tables, which can go to a file.
  say: (line) => process.stderr.write(`${line}\n`),
};

if (only === 'directus-rows') {
  const path = join(options.cache, `directus-rows-${options.rows}.sql`);
  await writeDirectusRows(path, options.rows);
  options.say(`Load the rows with psql -f ${path}`);
} else {
  const chosen = Object.entries(sections).filter(([name]) => only === undefined || name === only);
  if (chosen.length === 0)
    throw new Error(`--only takes one of: ${Object.keys(sections).join(', ')}, directus-rows.`);
  for (const [name, measureSection] of chosen) {
    const result = await measureSection(options);
    process.stdout.write(`## ${name}\n\n${result}\n\n${machineFacts()}\n\n`);
  }
}
