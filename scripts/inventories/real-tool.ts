/** Asks a tool of the field about an inventory, through the Python programs in this folder. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { InventoryFolder } from './inventory-folder.ts';

const Needed = z.object({
  /** Documents or updates that were compared. */
  advisories: z.number().int(),
  /** Microsoft's name of the product, as in the guide. */
  product: z.string().optional(),
  /** By the record's name at the vendor: name, architecture or component, installed, fixed. */
  records: z.record(z.string(), z.array(z.tuple([z.string(), z.string(), z.string(), z.string()]))),
});

export type ToolRow = z.infer<typeof Needed>['records'][string][number];

export interface ToolAnswer {
  readonly tool: string;
  readonly advisories: number;
  readonly product: string | null;
  readonly records: ReadonlyMap<string, readonly ToolRow[]>;
}

interface Tool {
  readonly label: string;
  readonly program: string;
  /** A file of the inventory that the program reads. */
  readonly reads: string;
}

const tools: readonly Tool[] = [
  { label: 'libsolv', program: 'rpm-updates.py', reads: 'rpm-qa-qf.txt' },
  { label: 'apt', program: 'deb-updates.py', reads: 'dpkg-query-source.txt' },
  { label: "WES-NG's rule", program: 'wes-updates.py', reads: 'systeminfo.txt' },
];

/** Null where no tool is for the platform (macOS), or where it is not installed: the second has a reason. */
export function askTool(
  { path }: InventoryFolder,
  mirror: string,
): ToolAnswer | { readonly unavailable: string } | null {
  const tool = tools.find(({ reads }) => existsSync(join(path, reads)));
  if (tool === undefined) return null;
  try {
    const printed = execFileSync(
      process.env['PYTHON'] ?? 'python3',
      [join(import.meta.dirname, tool.program), path, mirror],
      { encoding: 'utf8', timeout: 300_000, maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const { advisories, product = null, records } = Needed.parse(JSON.parse(printed));
    return { tool: tool.label, advisories, product, records: new Map(Object.entries(records)) };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { unavailable: `${tool.label}: ${words.trim().split('\n').at(-1) ?? ''}` };
  }
}
