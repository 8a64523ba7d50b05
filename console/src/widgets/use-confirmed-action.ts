/** Action with confirmation: question, call, toast, invalidated queries. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { toast } from '../api/toast.ts';
import type { Question } from './confirm-dialog.tsx';
import { confirm } from './confirm-modal.tsx';

export interface ConfirmedAction<Subject, Result> {
  readonly question: (subject: Subject) => Omit<Question, 'onYes'>;
  /** Runs while the dialog is open. A thrown error is shown in a toast. */
  readonly run: (subject: Subject) => Result | Promise<Result>;
  /** Text of the success toast; absent when `run` reports its outcome itself. */
  readonly success?: (subject: Subject, result: Result) => string;
  /** Invalidated after `run`, also after a failure, since the server may have changed something. */
  readonly invalidates?: readonly QueryKey[];
}

/** Returns a function that resolves to true after a successful action and never rejects. */
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
