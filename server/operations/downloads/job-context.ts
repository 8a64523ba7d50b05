/** What a job is handed to do its work with, and how it ends. */
import type { BundleReport } from '@patch/contract/bundle-endpoints.ts';
import type { Database, Session } from '../../platform/database/database.ts';
import type { SupportConfig } from './support-config.ts';

export interface JobContext {
  readonly database: Database;
  /** Reads the database as it is at one moment. */
  readonly snapshot: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
  readonly dataDir: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Where the file goes; of an import, where it lies. */
  readonly path: string;
  /** Bytes that the file may have. */
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

/** 'a row', '12,345 rows' */
export function counted(number: number, one: string, several = `${one}s`): string {
  return number === 1 ? `1 ${one}` : `${number.toLocaleString('en')} ${several}`;
}
