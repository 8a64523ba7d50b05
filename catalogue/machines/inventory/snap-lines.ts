/** Reads the table of `snap list`. */
import type { InventoryLine } from './inventory-pieces.ts';
import type { LineReader } from './line-reader.ts';

/** Versions before 2.33 name the developer, and have no column of the channel. */
const heading = /^Name +Version +Rev +(?:Tracking +)?(?:Publisher|Developer) +Notes$/;
/** A name, a version, and a revision; that of a snap without a store begins with x. */
const row = /^([a-z0-9][a-z0-9-]{0,39}(?:_[a-z0-9]{1,10})?) +(\S{1,128}) +x?\d{1,9} +\S.{0,200}$/;

/** Snaps of the system itself are read as the others: each has a version of its own. */
export const readSnapList: LineReader = (lines, at, draft) => {
  if (!heading.test(lines[at]?.text ?? '')) return 0;
  let end = at + 1;
  for (; end < lines.length; end += 1) {
    const [, name, version] = row.exec((lines[end] as InventoryLine).text) ?? [];
    if (name === undefined || version === undefined) break;
    draft.addApplication({ name, identifier: null, version, packaging: 'snap' });
  }
  if (draft.getFact('platform') === undefined) draft.setFact('platform', 'linux');
  draft.countUnderstood('snap list', end - at);
  return end - at;
};
