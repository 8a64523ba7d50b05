/** An exact identifier that was typed and has one record opens that record. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { useEffect, useRef } from 'react';
import { isNamed, looksLikeIdentifier } from './asked-search.ts';
import type { ListRows } from './use-list-page.ts';
import type { ListUrl } from './use-list-url.ts';

/** Answers the function that is told which keyword was typed; a keyword from the address opens nothing. */
export function useTypedIdentifier(
  list: ListDefinition,
  keyword: string,
  { rows, stale }: Pick<ListRows, 'rows' | 'stale'>,
  change: ListUrl['change'],
): (typed: string) => void {
  const typedIdentifier = useRef<string>(undefined);
  useEffect(() => {
    const asked = typedIdentifier.current;
    if (asked === undefined || asked !== keyword || stale || rows === undefined) return;
    typedIdentifier.current = undefined;
    const [row, ...others] = rows;
    if (row !== undefined && others.length === 0 && isNamed(list, row, asked))
      void change({ open: row.id }, { replace: true });
  }, [list, rows, stale, keyword, change]);
  return (typed) => {
    if (looksLikeIdentifier(typed)) typedIdentifier.current = typed;
  };
}
