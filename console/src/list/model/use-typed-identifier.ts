/** Opens the record of an exact identifier that the user typed. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { useEffect, useRef } from 'react';
import type { ListUrl } from '../address/use-list-url.ts';
import { hasIdentity, looksLikeIdentifier } from '../criteria/typed-search.ts';
import type { ListRows } from '../pages/use-list-page.ts';

/** Returns a function to call with each typed keyword. A keyword from the address opens nothing. */
export function useTypedIdentifier(
  list: ListDefinition,
  keyword: string,
  { rows, stale }: Pick<ListRows, 'rows' | 'stale'>,
  change: ListUrl['change'],
): (typed: string) => void {
  const typedIdentifier = useRef<string>(undefined);
  useEffect(() => {
    const identifier = typedIdentifier.current;
    if (identifier === undefined || identifier !== keyword || stale || rows === undefined) return;
    typedIdentifier.current = undefined;
    const [row, ...others] = rows;
    if (row !== undefined && others.length === 0 && hasIdentity(list, row, identifier))
      void change({ open: row.id }, { replace: true });
  }, [list, rows, stale, keyword, change]);
  return (typed) => {
    if (looksLikeIdentifier(typed)) typedIdentifier.current = typed;
  };
}
