/** Asks the user to sign in again. The component with the dialog registers here. */

/** Resolves to true when the user has signed in again. */
type Prover = () => Promise<boolean>;

let prover: Prover | null = null;
let pending: Promise<boolean> | null = null;

/** @returns A function that unregisters. */
export function onProofNeeded(ask: Prover): () => void {
  prover = ask;
  return () => {
    if (prover === ask) prover = null;
  };
}

/** Calls that are refused at the same time share one dialog. Resolves to false without a registered dialog. */
export function askForProof(): Promise<boolean> {
  if (prover === null) return Promise.resolve(false);
  pending ??= prover().finally(() => {
    pending = null;
  });
  return pending;
}
