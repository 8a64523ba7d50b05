/** One run of the client: authenticates, fetches its lists, and reports what it fetched. */
import { ClientFailure, exitCodes } from './client-failure.ts';
import { lockFolder } from './client-folder.ts';
import { type ClientOptions, type ClientRun, readOptions, usage } from './client-options.ts';
import { openSession, type Session, sendHeartbeat } from './client-session.ts';
import type { Verb } from './command-line.ts';
import { fetchList } from './fetch-list.ts';
import { formatResult } from './format-result.ts';
import { runTree } from './run-tree.ts';
import { followsTree, type GrantedLicence } from './stored-access.ts';

/** Returns the exit code. Throws a ClientFailure. */
async function runClient(run: ClientRun): Promise<number> {
  const { folder, changes, from } = run.options;
  const unlock = lockFolder(folder);
  try {
    const session = await openCoveringSession(run);
    const { licence } = session;
    const lists = run.options.lists ?? licence.lists;
    if (lists.length === 0) throw new ClientFailure('refused', 'The licence covers no list.');
    const foreign = findForeign(lists, licence);
    if (foreign.length > 0)
      throw new ClientFailure(
        'refused',
        `The licence does not cover ${foreign.join(', ')}. It covers: ${[...licence.lists, ...licence.optionalLists].join(', ')}.`,
      );
    if (followsTree(licence) && !changes) await runTree(run, { ...session, licence }, lists);
    else if (from !== null)
      throw new ClientFailure(
        'refused',
        'The repository gives this client no keys of a published catalogue: leave out --from.',
      );
    else await fetchLists(run, session, lists);
    return exitCodes.done;
  } finally {
    unlock();
  }
}

/** Asks the repository when the stored licence does not cover a list, since it may do so by now. */
async function openCoveringSession(run: ClientRun): Promise<Session> {
  const session = await openSession(run);
  const { identity, licence, isStored } = session;
  if (!isStored || identity === null || findForeign(run.options.lists ?? [], licence).length === 0)
    return session;
  return { ...session, licence: await sendHeartbeat(run, identity), isStored: false };
}

const findForeign = (
  lists: readonly string[],
  { lists: licensed, optionalLists }: GrantedLicence,
): readonly string[] =>
  lists.filter((list) => !licensed.includes(list) && !optionalLists.includes(list));

async function fetchLists(
  run: ClientRun,
  { identity }: Session,
  lists: readonly string[],
): Promise<void> {
  if (identity === null) throw new Error('A client without a token asks for changes');
  const { folder, size, fresh } = run.options;
  for (const list of lists) {
    const begun = performance.now();
    const { token } = identity;
    const { begunAgain, ...fetched } = await fetchList({ run, token, folder, list, size, fresh });
    const again = begunAgain ? ', begun again: the repository was restored' : '';
    run.say(`${formatResult(list, fetched, 'page', performance.now() - begun)}${again}`);
  }
  await sendHeartbeat(run, identity, Date.now());
}

export const fetchVerb: Verb<ClientOptions> = { usage, readOptions, run: runClient };
