/** Runs a few assessments of a made-up machine at the start of a service, so that the first user does not wait for compilation and caches. */
import { machineOfRelease } from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import type { Queryable } from '../platform/database/database.ts';
import { type AssessmentParts, assessMachine } from './assess-machine.ts';
import { readSomeNames } from './fix-vocabulary-store.ts';

/** V8 compiles code after some calls, and the first statement on a connection reads PostgreSQL's system catalogue. */
const rounds = 3;
/** Packages of the catalogue, whose fixes are all found; the others are unknown to it. */
const knownPackages = 20;
const otherPackages = 500;

/**
 * Does nothing with an empty catalogue. Rejects when the signal is aborted.
 * @throws DatabaseError
 */
export async function warmAssessment(parts: AssessmentParts, signal: AbortSignal): Promise<void> {
  const inventory = await buildInventory(parts.database);
  if (inventory === null) return;
  for (let round = 0; round < rounds; round += 1) {
    signal.throwIfAborted();
    await assessMachine(parts, inventory, signal);
  }
}

async function buildInventory(database: Queryable): Promise<string | null> {
  const known = await readSomeNames(database, knownPackages);
  const machine = known === null ? null : machineOfRelease(known.release);
  if (known === null || machine === null) return null;
  const { distribution, release, family } = machine;
  const others = Array.from({ length: otherPackages }, (_, index) => `made-up-${index}`);
  const lines = [...known.names, ...others].map((name, index) =>
    family === 'rpm' ? `${name} 0:0-0.${index} x86_64 (none)` : `${name} 0.${index} amd64 ii`,
  );
  return [`ID=${distribution}`, `VERSION_ID=${release}`, ...lines, ''].join('\n');
}
