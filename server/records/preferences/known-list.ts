/** Resolves a list and its fields by name: an unknown name is refused with the allowed ones. */
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import { AppError } from '../../platform/errors/app-error.ts';

/** Null for a list that no longer exists. */
export function knownListOf(key: string): CatalogueList | null {
  return catalogueLists.find((list) => list.key === key) ?? null;
}

/** Throws an AppError. */
export function knownList(key: string): CatalogueList {
  const list = knownListOf(key);
  if (list !== null) return list;
  const keys = catalogueLists.map((each) => each.key).join(', ');
  throw new AppError('unknown_list', `There is no list '${key}'. The lists are: ${keys}.`);
}

/** Throws an AppError for an unknown field of the list; every list has `id`. */
export function assertKnownFields(list: CatalogueList, names: readonly string[]): void {
  const known = ['id', ...Object.keys(list.fields)];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new AppError(
    'unknown_field',
    `${list.label} has no field '${unknown}'. Its fields are: ${known.join(', ')}.`,
  );
}
