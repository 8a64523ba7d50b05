/** Schemas of rows of a list, built once per list from its definition. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { type ColumnType, feedColumnsOfList } from './list-columns.ts';

export const NaturalKeyRow = z.object({ id: z.number(), natural_key: z.string() });

type Cell = string | number | boolean | null;

const cellSchemas: Record<ColumnType, z.ZodType<Cell>> = {
  text: z.string().nullable(),
  bigint: z.number().nullable(),
  'double precision': z.number().nullable(),
  boolean: z.boolean().nullable(),
};

/** Returns the shape of `displayColumns(list)`; any column may be null. */
export function displayShape(list: ListDefinition): Record<string, z.ZodType<Cell>> {
  return Object.fromEntries(
    feedColumnsOfList(list).map(({ column, storage }) => [column, cellSchemas[storage.type]]),
  );
}
