/**
 * Writes docs/inventories.md: npm run inventories. Without options it starts a service of its own, syncs ../shared/feed-mirror into it and
 * asks that one; --data-dir keeps its data for the next run; --server and --key ask a service that runs already.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Assessment } from '@patch/contract/fleet/assessment-endpoint.ts';
import { packageDifferences, updateDifferences } from './inventories/explained-difference.ts';
import { type InventoryFolder, inventoryFolders } from './inventories/inventory-folder.ts';
import {
  type Comparison,
  type InventoryResult,
  inventoryPage,
} from './inventories/inventory-page.ts';
import { mirroredService } from './inventories/mirrored-service.ts';
import { askTool, type ToolAnswer } from './inventories/real-tool.ts';
import { type RepositorySession, repositorySession } from './inventories/repository-session.ts';
import { readUpdateReasons } from './inventories/update-reasons.ts';

const root = join(import.meta.dirname, '..');
const shared = join(root, '..', 'shared');
const mirror = join(shared, 'feed-mirror');

const { values: options } = parseArgs({
  options: {
    server: { type: 'string' },
    key: { type: 'string' },
    'data-dir': { type: 'string' },
    out: { type: 'string', default: join(root, 'docs', 'inventories.md') },
  },
});

async function readResult(
  session: RepositorySession,
  folder: InventoryFolder,
): Promise<InventoryResult> {
  const [best, ...others] = folder.pastes;
  if (best === undefined) throw new Error(`${folder.name} has no inventory`);
  const answer = await session.assess(best.bytes);
  const tool = askTool(folder, mirror);
  return {
    name: folder.name,
    answer,
    others: await Promise.all(
      others.map(async ({ format, bytes }) => ({ format, answer: await session.assess(bytes) })),
    ),
    comparison: tool === null ? null : await compared(session, folder, tool, answer),
  };
}

async function compared(
  session: RepositorySession,
  { path, pastes }: InventoryFolder,
  tool: Exclude<ReturnType<typeof askTool>, null>,
  answer: Assessment,
): Promise<Comparison> {
  if (!isAnswer(tool)) return { kind: 'unavailable', reason: tool.unavailable };
  const common = { kind: 'compared', tool: tool.tool, records: tool.records.size } as const;
  if (answer.machine.platform === 'windows') {
    const text = pastes[0]?.bytes.toString('latin1').replaceAll('\0', '') ?? '';
    const installed = [...new Set(text.match(/KB\d{6,7}/g))];
    const kbs = [...tool.records.keys()];
    const machine = { product: tool.product, installed, answer };
    const findReason = await readUpdateReasons(session, kbs, machine);
    return { ...common, differences: updateDifferences(tool, answer, findReason) };
  }
  const aliases = await session.patchNames();
  return { ...common, differences: packageDifferences(tool, answer, aliases, versionsIn(path)) };
}

const isAnswer = (tool: Exclude<ReturnType<typeof askTool>, null>): tool is ToolAnswer =>
  !Object.hasOwn(tool, 'unavailable');

/** Read from the lists themselves, for the reader of inventories is what is looked at. */
function versionsIn(path: string): ReadonlyMap<string, readonly string[]> {
  const versions = new Map<string, string[]>();
  const add = (name = '', version = '') =>
    versions.set(name, [...(versions.get(name) ?? []), version]);
  const rpm = join(path, 'rpm-qa-qf.txt');
  const deb = join(path, 'dpkg-query-source.txt');
  const file = existsSync(rpm) ? rpm : deb;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const words = line.split(/\s+/);
    if (file === rpm) add(words[0], words[1]?.replace(/^0:/, ''));
    else if (words[0] === 'ii') add(words[1]?.split(':')[0], words[2]);
  }
  return versions;
}

async function withSession(use: (session: RepositorySession) => Promise<void>): Promise<void> {
  const { server, key } = options;
  if (server !== undefined) return use(repositorySession(server, key ?? ''));
  const dataDir = options['data-dir'] ?? mkdtempSync(join(tmpdir(), 'inventories-'));
  const service = await mirroredService(mirror, dataDir);
  try {
    await use(repositorySession(service.url, service.token));
  } finally {
    await service.stop();
    if (options['data-dir'] === undefined) rmSync(dataDir, { recursive: true, force: true });
  }
}

if (!existsSync(join(shared, 'inventories'))) {
  process.stderr.write('There are no ../shared/inventories beside the project.\n');
  process.exit(1);
}
await withSession(async (session) => {
  const results: InventoryResult[] = [];
  for (const folder of inventoryFolders(join(shared, 'inventories')))
    results.push(await readResult(session, folder));
  writeFileSync(options.out, inventoryPage(results));
});
