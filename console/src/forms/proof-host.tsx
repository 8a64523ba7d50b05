/** Shows the dialog in which users prove their identity. The dialog loads when a call first needs it. */
import { useEffect, useState } from 'react';
import { onProofNeeded } from '../api/proof-request.ts';
import { lazyAntd } from '../widgets/lazy-antd.tsx';

const ProofDialog = lazyAntd(() => import('./proof-dialog.tsx'), 'ProofDialog');

/** The main layout mounts it once. */
export function ProofHost() {
  const [settle, setSettle] = useState<((proven: boolean) => void) | null>(null);
  useEffect(
    () =>
      onProofNeeded(
        () =>
          new Promise((resolve) => {
            setSettle(() => (proven: boolean) => {
              setSettle(null);
              resolve(proven);
            });
          }),
      ),
    [],
  );
  return settle === null ? null : <ProofDialog onSettled={settle} />;
}
