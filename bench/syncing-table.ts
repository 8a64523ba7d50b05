/** How long calls took while a feed was synced, as a table of docs/performance.md. */
import type { Times } from './measure.ts';
import type { SyncingResult } from './while-syncing.ts';

const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0));

export function syncingTable({ health, firstPage, firstTotal }: SyncingResult): readonly string[] {
  return [
    '| | p50 | p95 | p99 | target p99 | longest | calls |',
    '|---|--:|--:|--:|--:|--:|--:|',
    line('GET /api/health', health, 100),
    line('First page with total', firstPage, 100),
    line('First page with a total that was not asked for before', firstTotal, 150),
  ];
}

function line(name: string, { p50, p95, p99, most, calls }: Times, target: number): string {
  const met = `${target} ${p99 <= target ? '✓' : '✗'}`;
  return `| ${[name, ms(p50), ms(p95), ms(p99), met, ms(most), String(calls)].join(' | ')} |`;
}
