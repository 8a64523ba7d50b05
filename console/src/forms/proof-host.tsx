/** Shows the dialog in which a person proves who they are; fetched when the first call asks for it. */
import { useEffect, useState } from 'react';
import { onProofNeeded } from '../api/proof-request.ts';
import { lazyAntd } from '../widgets/lazy-antd.tsx';

const ProofDialog = lazyAntd(() => import('./proof-dialog.tsx'), 'ProofDialog');

/** Mounted once, in the main layout. */
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
