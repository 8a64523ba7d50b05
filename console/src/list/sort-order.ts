/** How a click on a column's head changes the order: ascending, descending, then back to the list's own. */

export function sortAfterClick(sort: string, field: string, defaultSort: string): string {
  if (sort === field) return `-${field}`;
  return sort === `-${field}` && sort !== defaultSort ? defaultSort : field;
}

export function ariaSort(sort: string, field: string): 'ascending' | 'descending' | 'none' {
  return sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : 'none';
}
