/** Messages between the service and the intake thread. */
import type { ReportedMachine, ReportOutcome } from '@patch/contract/machine-report-endpoints.ts';
import { DatabaseError } from '../platform/database/database-error.ts';
import { AppError } from '../platform/errors/app-error.ts';

export interface IntakeTask {
  readonly id: number;
  readonly clientId: number;
  readonly machines: readonly ReportedMachine[];
}

export type IntakeEvent =
  | { readonly kind: 'taken'; readonly id: number; readonly outcomes: readonly ReportOutcome[] }
  | { readonly kind: 'failed'; readonly id: number; readonly failed: FailedIntake }
  /** For the log. */
  | { readonly kind: 'lost'; readonly message: string };

/** Errors lose their class and fields between threads. */
type FailedIntake =
  | { readonly of: 'app'; readonly code: AppError['code']; readonly message: string }
  | { readonly of: 'database'; readonly code: string; readonly message: string }
  | { readonly of: 'other'; readonly message: string };

export function toFailedIntake(error: unknown): FailedIntake {
  if (error instanceof AppError) return { of: 'app', code: error.code, message: error.message };
  if (error instanceof DatabaseError)
    return { of: 'database', code: error.code, message: error.message };
  return {
    of: 'other',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}

export function toError(failed: FailedIntake): Error {
  switch (failed.of) {
    case 'app':
      return new AppError(failed.code, failed.message);
    case 'database':
      return new DatabaseError(failed.code, failed.message);
    case 'other':
      return new Error(`The intake thread failed: ${failed.message}`);
  }
}
