/** Checks whether an entry fits its list, which every feed's tests require of its entries. */
import { z } from 'zod';
import type { Entry } from '../definition/feed.ts';
import type { FieldKind } from '../definition/field-kinds.ts';
import type { Fields } from '../definition/fields.ts';

const oneLine = z.string().regex(/^[^\r\n]*\S[^\r\n]*$/, 'is not one line of words');
const distinctLines = z
  .array(oneLine)
  .refine((words) => new Set(words).size === words.length, 'comes more than once');
const earliest = Date.UTC(1990, 0, 1);
const latest = Date.UTC(2200, 0, 1);

const valueOfKind: Record<FieldKind, z.ZodType> = {
  text: oneLine,
  prose: z.string().min(1),
  identifier: oneLine,
  identifiers: distinctLines,
  tags: distinctLines,
  choice: oneLine,
  number: z.int(),
  decimal: z.number(),
  size: z.int().nonnegative(),
  date: z.int().min(earliest).max(latest),
  flag: z.boolean(),
  link: z.url({ protocol: /^https?$/ }),
};

/** Allows only declared fields, each absent, null, or of its kind; fields that the engine stamps must be absent. */
function strictly(fields: Fields, tables: Record<string, z.ZodType> = {}): z.ZodType {
  const written = Object.entries(fields).filter(([, { stamped }]) => stamped === undefined);
  return z.strictObject({
    ...Object.fromEntries(written.map(([name, { kind }]) => [name, valueOfKind[kind].nullish()])),
    ...tables,
  });
}

const shapes = new WeakMap<Entry['list'], readonly [row: z.ZodType, detail: z.ZodType]>();

function getShapes(list: Entry['list']) {
  const known = shapes.get(list);
  if (known !== undefined) return known;
  const { facts, tables } = list.detail;
  const rows = Object.entries(tables).map(([name, { fields }]) => [
    name,
    z.array(strictly(fields)).nullish(),
  ]);
  const made = [strictly(list.fields), strictly(facts, Object.fromEntries(rows))] as const;
  shapes.set(list, made);
  return made;
}

export function findComplaints({ list, key, row, detail }: Entry): string[] {
  const [ofRow, ofDetail] = getShapes(list);
  return [ofRow.safeParse(row), ofDetail.safeParse(detail)]
    .flatMap(({ error }) => error?.issues ?? [])
    .map(({ path, message }) => `${list.key} ${key}: ${path.join('.')} ${message}`);
}
