/** A list as somebody names it, and fields of it: what is unknown is refused with what is allowed. */
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import { Refusal } from '../http/refusal.ts';

/** Null for a list that is not there any more. */
export function knownListOf(key: string): CatalogueList | null {
  return catalogueLists.find((list) => list.key === key) ?? null;
}

/** Throws Refusal 422. */
export function knownList(key: string): CatalogueList {
  const list = knownListOf(key);
  if (list !== null) return list;
  const keys = catalogueLists.map((each) => each.key).join(', ');
  throw new Refusal(422, 'unknown_list', `There is no list '${key}'. The lists are: ${keys}.`);
}

/** Throws Refusal 422 for a name that is no field of the list; `id` is one of every list. */
export function refuseUnknownFields(list: CatalogueList, names: readonly string[]): void {
  const known = ['id', ...Object.keys(list.fields)];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new Refusal(422, 'unknown_field', `${list.label} has no field '${unknown}'. Its fields are: ${known.join(', ')}.`);
}
