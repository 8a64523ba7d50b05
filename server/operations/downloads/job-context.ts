/** The dependencies and the result of a job. */
import type { BundleReport } from '@patch/contract/operations/bundle-endpoints.ts';
import type { Database, Session } from '../../platform/database/database.ts';
import type { SupportConfig } from './support-config.ts';

export interface JobContext {
  readonly database: Database;
  /** Reads the database as of one moment. */
  readonly snapshot: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
  readonly dataDir: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** The path of the file to create, or of the bundle to import. */
  readonly path: string;
  /** Maximum size of the file in bytes. */
  readonly room: number;
  readonly askedBy: string;
  /** The service's key. */
  readonly secretKey: Uint8Array;
  readonly config: SupportConfig;
  readonly signal: AbortSignal;
  readonly clock: () => number;
  readonly progress: {
    readonly enter: (stage: string) => void;
    readonly total: (rows: number) => void;
    readonly rows: (more: number) => void;
    readonly bytes: (now: number) => void;
  };
}

export interface JobDone {
  readonly message: string;
  readonly bytes: number;
  readonly report?: BundleReport;
}

export type JobWork = (context: JobContext) => Promise<JobDone>;

/** Returns '1 row' or '12,345 rows'. */
export function formatCount(number: number, singular: string, plural = `${singular}s`): string {
  return number === 1 ? `1 ${singular}` : `${number.toLocaleString('en')} ${plural}`;
}
