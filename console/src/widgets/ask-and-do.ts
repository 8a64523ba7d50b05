/** Asks first, then does it, and says that it is done or why it is not. */

import { toast } from '../api/toast.ts';
import { confirm } from './confirm-modal.tsx';
import type { Question } from './confirm-question.ts';

/** False when the user cancelled or the action failed. */
export async function askAndDo(
  question: Question & Required<Pick<Question, 'onYes'>>,
  done: string,
): Promise<boolean> {
  try {
    await confirm({ danger: true, ...question });
    toast.success(done);
    return true;
  } catch (failure) {
    if (!(failure instanceof Error && failure.message === 'cancelled')) toast.failure(failure);
    return false;
  }
}
