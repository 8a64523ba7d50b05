/** A KB of the security update guide gains what only Windows Update knows of it: its title and id there, its size, its files. */
import type { Completion, RecordValues } from '../../definition/completion.ts';
import { updateOfKb } from './update-of-kb.ts';
import { windowsKbBaseList } from './windows-kb-base-list.ts';
import { windowsKbList } from './windows-kb-list.ts';

export const windowsKbCompletion: Completion = {
  of: windowsKbList,
  from: windowsKbBaseList,
  by: 'kbId',
  choose(record, candidates) {
    return updateOfKb(
      { productName: textIn(record, 'productName') ?? '', architecture: wordsIn(record, 'architecture') },
      candidates,
      (row) => ({ title: textIn(row, 'title') ?? '', architecture: wordsIn(row, 'architecture') }),
    );
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

function textIn(values: RecordValues, name: string): string | null {
  const value = values[name];
  return typeof value === 'string' ? value : null;
}

function wordsIn(values: RecordValues, name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [];
}
