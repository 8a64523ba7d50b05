/** What a run of the bench was asked for. */
import type { DirectusAddress } from './directus-peer.ts';

export interface BenchRun {
  readonly rows: number;
  /** Of each case, where it does not say itself. */
  readonly calls: number;
  /** Of the fleet that is reported. */
  readonly machines: number;
  /** Of the document of the whole sync. */
  readonly megabytes: number;
  /** Of the words and dates that the classes draw, and of the machines. */
  readonly seed: number;
  /** Random searches that are compared. */
  readonly searches: number;
  /** Of mixed load. */
  readonly minutes: number;
  /** The database that is measured alone; null: both. */
  readonly only: 'pglite' | 'postgres' | null;
  /** With the same rows; null: the product is measured alone. */
  readonly directus: DirectusAddress | null;
  /** A folder of this clone for loaded databases and generated files. */
  readonly cache: string;
  /** Tells a line of progress. */
  readonly say: (line: string) => void;
}
