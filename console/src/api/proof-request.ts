/** Asks the person to prove who they are. The component that shows the dialog registers for it. */

/** Resolves to whether the person did. */
type Prover = () => Promise<boolean>;

let prover: Prover | null = null;
let asking: Promise<boolean> | null = null;

/** Answers how to unregister. */
export function onProofNeeded(ask: Prover): () => void {
  prover = ask;
  return () => {
    if (prover === ask) prover = null;
  };
}

/** Calls that are refused at the same time share one question. False where nobody can ask. */
export function askForProof(): Promise<boolean> {
  if (prover === null) return Promise.resolve(false);
  asking ??= prover().finally(() => {
    asking = null;
  });
  return asking;
}
