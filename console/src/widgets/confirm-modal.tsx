/** Asks the user for confirmation. The dialog is loaded with the first question. */
import { useEffect, useState } from 'react';
import type { PendingQuestion, Question } from './confirm-dialog.tsx';
import { lazyAntd } from './lazy-antd.tsx';

const ConfirmDialog = lazyAntd(() => import('./confirm-dialog.tsx'), 'ConfirmDialog');

let lastId = 0;
let ask: (question: PendingQuestion) => void = ({ reject }) => reject(new Error('cancelled'));

/** Resolves after Yes and `onYes`. Rejects with the error of `onYes`, or with the message 'cancelled' after No. */
export function confirm(question: Question): Promise<void> {
  return new Promise((resolve, reject) => ask({ ...question, id: ++lastId, resolve, reject }));
}

/** Mounted once, in the main layout. A question that arrives while another is open waits for it. */
export function ConfirmHost() {
  const [waiting, setWaiting] = useState<readonly PendingQuestion[]>([]);
  /** Answered question during the closing animation. */
  const [leaving, setLeaving] = useState<PendingQuestion>();
  useEffect(() => {
    const before = ask;
    ask = (next) => setWaiting((earlier) => [...earlier, next]);
    return () => {
      ask = before;
    };
  }, []);
  const [open] = waiting;
  const question = open ?? leaving;
  if (question === undefined) return null;
  return (
    <ConfirmDialog
      key={question.id}
      question={question}
      open={question === open}
      onSettled={() => {
        setLeaving(question);
        setWaiting((queue) => queue.filter((pending) => pending !== question));
      }}
      onClosed={() => setLeaving((last) => (last === question ? undefined : last))}
    />
  );
}
