/** Tables and figures of the bench as Markdown. */
import { cpus, loadavg, totalmem } from 'node:os';
import type { Times } from './measure-calls.ts';

type Cell = string | number | null;

/** Aligns the first column to the left and the others to the right. Null is an empty cell. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]) => `| ${cells.map((cell) => cell ?? '').join(' | ')} |`;
  return [line(head), `|---|${'--:|'.repeat(head.length - 1)}`, ...rows.map(line)].join('\n');
}

const mapped = (format: (value: number) => string) => (value: number | null) =>
  value === null || Number.isNaN(value) ? null : format(value);

export const short = mapped((value) => value.toFixed(value < 10 ? 1 : 0));
export const exact = mapped((value) => value.toFixed(2));
export const count = mapped((value) => Math.round(value).toLocaleString('en'));
export const megabytes = mapped((bytes) => (bytes / 1_048_576).toFixed(0));

/** Times faster than a peer; empty without the peer. */
export const timesFaster = (peer: number | null, own: number): string | null =>
  peer === null || Number.isNaN(peer) ? null : `${short(peer / own) ?? ''}×`;

export function timesTable(times: readonly (readonly [name: string, times: Times])[]): string {
  return table(
    ['ms', 'p50', 'p95', 'p99', 'longest', 'calls'],
    times.map(([name, { p50, p95, p99, longest, calls }]) => [
      name,
      ...[p50, p95, p99, longest].map(short),
      calls,
    ]),
  );
}

/** Names no host. */
export function machineFacts(): string {
  const [processor] = cpus();
  const loads = loadavg().map((load) => load.toFixed(1));
  return `Machine: ${cpus().length} cores (${processor?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}. Load average at the end: ${loads.join(', ')}.`;
}
