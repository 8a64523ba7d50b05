import type { Fleet } from './machine-generator.ts';

/** Options of a run of the bench. */
export interface BenchOptions {
  /** Records of the searched list. */
  readonly rows: number;
  /** Seed of the words, dates and machines that are drawn. */
  readonly seed: number;
  /** Calls of one client in each class of searches; eight clients make four times as many. */
  readonly calls: number;
  /** Licensed clients that poll, or are in a ring. */
  readonly clients: number;
  /** Machines that one licensed client reports. */
  readonly machines: number;
  readonly fleet: Fleet;
  /** Size of the generated updateinfo.xml. */
  readonly megabytes: number;
  /** Seconds that a service is left alone before and while it is measured as idle. */
  readonly seconds: number;
  /** Sources of the feed mirror; null: all. */
  readonly sources: readonly string[] | null;
  /** Folder of this clone for loaded databases and generated files. */
  readonly cache: string;
  /** Prints a line of progress. */
  readonly say: (line: string) => void;
}
