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
    const target = {
      productName: getText(record, 'productName') ?? '',
      architecture: getWords(record, 'architecture'),
    };
    const offered = candidates.map((row) => ({
      row,
      title: getText(row, 'title') ?? '',
      architecture: getWords(row, 'architecture'),
    }));
    return matchUpdate(target, offered).update?.row ?? null;
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
    const update = {
      title: getText(record, 'title') ?? '',
      architecture: getWords(record, 'architecture'),
    };
    const isFor = (row: RecordValues) =>
      matchUpdate(
        {
          productName: getText(row, 'productName') ?? '',
          architecture: getWords(row, 'architecture'),
        },
        [update],
      ).update !== null;
    return candidates.find(isFor) ?? null;
  },
  gained: ({ knownIssues }) => ({ knownIssues }),
});

function getText(values: RecordValues, name: string): string | null {
  const value = values[name];
  return typeof value === 'string' ? value : null;
}

function getWords(values: RecordValues, name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [];
}
