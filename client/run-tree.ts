/** Brings the copies of lists to what a published tree has. */
import { TreeRefusal } from '@patch/contract/tree/tree-refusal.ts';
import { readRoot } from '@patch/contract/tree/tree-root.ts';
import { ClientFailure } from './client-failure.ts';
import type { ClientRun } from './client-options.ts';
import { isWebAddress, type Session, sendHeartbeat } from './client-session.ts';
import { followList } from './follow-list.ts';
import { formatResult } from './format-result.ts';
import { FamilyKeys, type TreeLicence } from './stored-access.ts';
import { folderSource, type TreeSource, webSource } from './tree-source.ts';
import { hasTrust, TreeTrust, trustPath } from './tree-trust.ts';

/** Returns a sentence that says what to do, or nothing. */
function advise({ fault }: TreeRefusal, { folder, keys }: ClientRun['options']): string {
  if (fault === 'no_key' && keys !== null)
    return ' It was published after the keys of --keys were made: bring newer ones with the catalogue.';
  // Anybody's tree looks like this, so that a person has to decide.
  if ((fault === 'bad_signature' || fault === 'bad_root') && hasTrust(folder))
    return ` It is not of the root that this folder trusts. Only if the repository's administrators say that they began its tree anew, delete ${trustPath(folder)}: the next run trusts the root that --root or the repository gives.`;
  return '';
}

/** Throws a ClientFailure that names the fault when the tree is refused. */
export async function runTree(
  run: ClientRun,
  session: Session & { readonly licence: TreeLicence },
  lists: readonly string[],
): Promise<void> {
  try {
    await followLists(run, session, lists);
  } catch (error) {
    if (!(error instanceof TreeRefusal)) throw error;
    throw new ClientFailure(
      'refused',
      `The published catalogue is refused, ${error.fault}: ${error.message}${advise(error, run.options)}`,
      { cause: error },
    );
  }
}

async function followLists(
  run: ClientRun,
  { identity, licence: { tree }, isStored, isFirst }: Parameters<typeof runTree>[1],
  lists: readonly string[],
): Promise<void> {
  const { folder, server, fresh, root: rootFile, keys: carried } = run.options;
  const source = openSource(run, tree.address);
  const keys = new FamilyKeys(
    tree,
    isStored && identity !== null ? async () => (await sendHeartbeat(run, identity)).tree : null,
  );
  const trust = await TreeTrust.open({
    folder,
    server,
    rootFile,
    given: tree.root,
    isCarried: carried !== null,
    say: run.say,
  });
  await trust.followRoots(source);
  const { lists: published, catalogue } = await trust.acceptHead(source);
  // The service may have another secret key since, and other keys of families with it.
  if (trust.version > readRoot(Buffer.from(tree.root)).root.version) await keys.renew();
  for (const list of lists) {
    const begun = performance.now();
    const found = published.find((one) => one.list === list);
    if (found === undefined) {
      run.complain(`${list}: not published.`);
      continue;
    }
    const findKey = async (family: string | null, period: number) => keys.find(family, period);
    const { epoch } = catalogue;
    const followed = await followList({
      run,
      source,
      folder,
      epoch,
      published: found,
      fresh,
      findKey,
    });
    run.say(formatResult(list, followed, 'segment', performance.now() - begun));
  }
  const updatedOn = source.isCopy ? catalogue.time : Date.now();
  await trust.storeUpdate(updatedOn);
  if (isFirst && identity !== null) await sendHeartbeat(run, identity, updatedOn);
}

function openSource(run: ClientRun, address: string): TreeSource {
  const { from, server } = run.options;
  if (from !== null && !isWebAddress(from)) return folderSource(from);
  const given = from ?? (address.startsWith('/') ? `${server}${address}` : address);
  return webSource(run, given.replace(/\/+$/, ''));
}
