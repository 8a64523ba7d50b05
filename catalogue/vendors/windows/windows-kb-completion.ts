/**
 * Completes KBs of the security update guide by facts of Windows Update (title, id, size, files), and updates by the guide's known issues.
 */
import type { Completion, RecordValues } from '../../definition/completion.ts';
import type { ListDefinition } from '../../definition/list-definition.ts';
import { matchUpdate } from './conclusions/update-of-kb.ts';
import { windowsKbBaseList } from './lists/windows-kb-base-list.ts';
import { windowsKbList } from './lists/windows-kb-list.ts';

export const windowsKbCompletion: Completion = {
  of: windowsKbList,
  from: windowsKbBaseList,
  by: 'kbId',
  choose(record, candidates) {
    const offered = candidates.map((row) => ({ row, ...describe(row) }));
    return matchUpdate(describe(record), offered).update?.row ?? null;
  },
  gained: ({ id, title, uuid, category, size, fileDetails, ...found }) => ({
    kbBaseId: id,
    title,
    uuid,
    classification: category,
    size,
    supportUninstallation: found['supportUninstallation'],
    uninstallNotes: found['uninstallNotes'],
    uninstallRestartBehaviour: found['uninstallRestartBehaviour'],
    fileDetails,
  }),
};

/** Used by the KB base and the patch list. */
export const knownIssuesCompletion = (of: ListDefinition): Completion => ({
  of,
  from: windowsKbList,
  by: 'kbId',
  choose(record, candidates) {
    const update = describe(record);
    return candidates.find((row) => matchUpdate(describe(row), [update]).update !== null) ?? null;
  },
  gained: ({ knownIssues }) => ({ knownIssues }),
});

/** Returns what `matchUpdate` compares of a KB or an update. */
function describe({ productName, title, architecture }: RecordValues) {
  return {
    productName: typeof productName === 'string' ? productName : '',
    title: typeof title === 'string' ? title : '',
    architecture: Array.isArray(architecture)
      ? architecture.filter((word) => typeof word === 'string')
      : [],
  };
}
