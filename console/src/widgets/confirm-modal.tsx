/** Asks before something happens; its dialog is fetched when the first question is asked. */
import { useEffect, useState } from 'react';
import type { Asked, Question } from './confirm-question.ts';
import { lazyAntd } from './lazy-antd.tsx';

const ConfirmDialog = lazyAntd(() => import('./confirm-dialog.tsx'), 'ConfirmDialog');

let lastId = 0;
let ask: (asked: Asked) => void = ({ reject }) => reject(new Error('cancelled'));

/** Resolves on Yes, once `onYes` is done; rejects with the message 'cancelled' on No. */
export function confirm(question: Question): Promise<void> {
  return new Promise((resolve, reject) => ask({ ...question, id: ++lastId, resolve, reject }));
}

/** Mounted once, in the main layout. Who asks while a question is open is asked after it. */
export function ConfirmHost() {
  const [waiting, setWaiting] = useState<readonly Asked[]>([]);
  /** Answered, and sliding away. */
  const [leaving, setLeaving] = useState<Asked>();
  useEffect(() => {
    const before = ask;
    ask = (next) => setWaiting((others) => [...others, next]);
    return () => {
      ask = before;
    };
  }, []);
  const [open] = waiting;
  const asked = open ?? leaving;
  if (asked === undefined) return null;
  return (
    <ConfirmDialog
      key={asked.id}
      asked={asked}
      open={asked === open}
      onSettled={() => {
        setLeaving(asked);
        setWaiting((others) => others.filter((other) => other !== asked));
      }}
      onClosed={() => setLeaving((last) => (last === asked ? undefined : last))}
    />
  );
}
