/** Derives the wire shapes of a list's rows and details from its fields. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field, Fields } from '@patch/catalogue/definition/fields.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';

const schemaOfKind = {
  text: z.string(),
  prose: z.string(),
  identifier: z.string(),
  identifiers: z.array(z.string()),
  tags: z.array(z.string()),
  choice: z.string(),
  number: z.number(),
  decimal: z.number(),
  size: z.number(),
  date: z.number(),
  flag: z.boolean(),
  link: z.string(),
} satisfies Record<FieldKind, z.ZodType>;

/** The value of any field on the wire; null or absent when the vendor does not state it. */
export type WireValue = string | number | boolean | readonly string[] | null | undefined;

export type WireRow = { readonly id: number } & { readonly [field: string]: WireValue };

/** A record: its row, its facts by name, its tables as arrays of rows without id. */
export type WireDetail = { readonly id: number } & {
  readonly [name: string]: WireValue | readonly { readonly [field: string]: WireValue }[];
};

/** Describes how a date is represented on the wire. */
export const dateWords = ({ precision }: Pick<Field, 'precision'>): string =>
  precision === 'day'
    ? 'a day: epoch milliseconds, of which the day in UTC counts'
    : 'epoch milliseconds';

export function valueSchema(field: Field<FieldKind, unknown>): z.ZodType {
  const words = field.help === undefined ? field.label : `${field.label}. ${field.help}`;
  return schemaOfKind[field.kind]
    .nullish()
    .describe(field.kind === 'date' ? `${words} (${dateWords(field)})` : words);
}

const toShape = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, valueSchema(field)]));

/** The shape of a row in the reply of a search. */
export function rowSchema(list: ListDefinition): z.ZodType<WireRow> {
  return z.object({ id: z.number().int(), ...toShape(list.fields) });
}

/**
 * The shape of a record in the reply of the detail call: the row, the facts, the tables, and when the repository first saw it,
 * last changed it and withdrew it.
 */
export function detailSchema(list: ListDefinition): z.ZodType<WireDetail> {
  const tables = Object.entries(list.detail.tables).map(([name, table]) => [
    name,
    z.array(z.object(toShape(table.fields))).describe(table.label),
  ]);
  return z.object({
    id: z.number().int(),
    ...toShape(list.fields),
    ...toShape(list.detail.facts),
    ...Object.fromEntries(tables),
    firstSeenTime: z
      .number()
      .describe('When the record first appeared in this repository (epoch milliseconds)'),
    changedTime: z
      .number()
      .describe('When it last changed here, or was listed again (epoch milliseconds)'),
    withdrawnTime: z
      .number()
      .nullable()
      .describe('When the vendor stopped listing it (epoch milliseconds), null while it is listed'),
  }) as unknown as z.ZodType<WireDetail>;
}
