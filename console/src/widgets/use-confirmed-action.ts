/** An action on the server that is confirmed first: the question, the call, the toast, and the queries that are read again. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { toast } from '../api/toast.ts';
import { confirm } from './confirm-modal.tsx';
import type { Question } from './confirm-question.ts';

export interface ConfirmedAction<Subject, Result> {
  readonly question: (subject: Subject) => Omit<Question, 'onYes'>;
  /** The dialog stays open until it is done; what it throws is shown as an error. */
  readonly run: (subject: Subject) => Result | Promise<Result>;
  /** The words of the toast; absent where `run` reports its outcome itself. */
  readonly success?: (subject: Subject, result: Result) => string;
  /** Read again after `run`, also after a failure: the server may have acted. */
  readonly invalidates?: readonly QueryKey[];
}

/** Resolves to whether it was confirmed and done; never rejects. */
export function useConfirmedAction<Subject = void, Result = unknown>({
  question,
  run,
  success,
  invalidates = [],
}: ConfirmedAction<Subject, Result>): (subject: Subject) => Promise<boolean> {
  const queries = useQueryClient();
  return async (subject) => {
    let started = false;
    try {
      await confirm({
        ...question(subject),
        async onYes() {
          started = true;
          const result = await run(subject);
          if (success !== undefined) toast.success(success(subject, result));
        },
      });
      return true;
    } catch (failure) {
      if (started) toast.failure(failure);
      return false;
    } finally {
      if (started)
        await Promise.all(invalidates.map((queryKey) => queries.invalidateQueries({ queryKey })));
    }
  };
}
