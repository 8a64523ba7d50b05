/** Reads the running kernel from `uname -r`, `uname -a` or `uname -m`. */
import { isRpmArchitecture, machineArchitecture } from './architectures.ts';
import type { LineReader } from './line-reader.ts';

const release = /^\d{1,2}\.\d{1,3}(?:\.\d{1,3})?[-+.~\w]{0,120}$/;

export const readUname: LineReader = (lines, at, draft) => {
  const line = lines[at];
  const words = line?.text.trim().split(' ') ?? [];
  const [first = ''] = words;
  if (line === undefined) return 0;
  const kernel = words.length === 1 ? first : first === 'Linux' ? (words[2] ?? '') : '';
  if (words.length === 1 && isRpmArchitecture(first) && first.includes('64'))
    draft.setFact('architecture', machineArchitecture(first));
  else if (release.test(kernel) && kernel.includes('-')) {
    if (!draft.setFact('kernel', kernel)) {
      draft.addUnreadable(line, `The text already names kernel ${draft.getFact('kernel')}`, {
        trouble: 'severalMachines',
      });
      return 1;
    }
    const architecture = [kernel.split('.').at(-1) ?? '', ...words].findLast((word) =>
      isRpmArchitecture(word),
    );
    if (architecture !== undefined) draft.setFact('architecture', architecture);
    if (draft.getFact('platform') === undefined) draft.setFact('platform', 'linux');
  } else return 0;
  draft.countUnderstood('uname');
  return 1;
};
