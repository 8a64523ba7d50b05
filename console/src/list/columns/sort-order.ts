/** Order after a click on a column heading: ascending, descending, then the default. */

export function nextSort(sort: string, field: string, defaultSort: string): string {
  if (sort === field) return `-${field}`;
  return sort === `-${field}` && sort !== defaultSort ? defaultSort : field;
}

export function toAriaSort(sort: string, field: string): 'ascending' | 'descending' | 'none' {
  return sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : 'none';
}
