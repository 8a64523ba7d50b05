/** Which columns a person sees of a list, in which order and how wide, and how dense; kept in this browser. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { useState } from 'react';
import { z } from 'zod';
import { leastWidth } from './column-widths.ts';

const Kept = z.object({
  columns: z.array(z.string()).nullable().catch(null),
  widths: z.record(z.string(), z.number().min(leastWidth).max(2000)).catch({}),
});
const Density = z.enum(['comfortable', 'dense']).catch('comfortable');
type Density = z.infer<typeof Density>;

export interface ColumnChoice {
  readonly columns: readonly string[];
  readonly widths: Readonly<Record<string, number>>;
  readonly density: Density;
  /** Whether anything differs from the list's own set. */
  readonly changed: boolean;
  readonly setColumns: (columns: readonly string[]) => void;
  readonly setWidth: (column: string, width: number) => void;
  readonly setDensity: (density: Density) => void;
  readonly reset: () => void;
}

/** All that can be a column: the list's own set first, then its other fields. */
export function columnsOffered(list: ListDefinition): readonly string[] {
  return [...new Set([...list.columns, ...Object.keys(list.fields), 'id'])];
}

const densityKey = 'patch-repository.density';

export function useColumnChoice(list: ListDefinition): ColumnChoice {
  const storageKey = `patch-repository.columns.${list.key}`;
  const [kept, setKept] = useState(() => readKept(storageKey));
  const [density, setDensity] = useState(() => Density.parse(localStorage.getItem(densityKey)));
  function keep(next: z.infer<typeof Kept>): void {
    localStorage.setItem(storageKey, JSON.stringify(next));
    setKept(next);
  }
  const offered = columnsOffered(list);
  const chosen = kept.columns?.filter((name) => offered.includes(name)) ?? [];
  return {
    columns: chosen.length > 0 ? chosen : list.columns,
    widths: kept.widths,
    density,
    changed: kept.columns !== null || Object.keys(kept.widths).length > 0,
    setColumns: (columns) => keep({ ...kept, columns: [...columns] }),
    setWidth: (column, width) => keep({ ...kept, widths: { ...kept.widths, [column]: Math.max(leastWidth, Math.round(width)) } }),
    setDensity: (next) => {
      localStorage.setItem(densityKey, next);
      setDensity(next);
    },
    reset: () => {
      localStorage.removeItem(storageKey);
      setKept({ columns: null, widths: {} });
    },
  };
}

function readKept(storageKey: string): z.infer<typeof Kept> {
  const nothing = { columns: null, widths: {} };
  try {
    return Kept.catch(nothing).parse(JSON.parse(localStorage.getItem(storageKey) ?? 'null'));
  } catch {
    return nothing;
  }
}

/** What heads the list's records: the first identity field that is a column, else the first column. */
export function identityColumn(list: ListDefinition, columns: readonly string[]): string | undefined {
  return list.identity.find((name) => columns.includes(name)) ?? columns[0];
}
