/** Resolves lists and fields by name. Errors list the allowed names. */
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import { AppError } from '../../platform/errors/app-error.ts';

/** Returns null for an unknown list, such as one of a former version. */
export function findKnownList(key: string): CatalogueList | null {
  return catalogueLists.find((list) => list.key === key) ?? null;
}

/** @throws AppError `unknown_list` */
export function getKnownList(key: string): CatalogueList {
  const list = findKnownList(key);
  if (list !== null) return list;
  const keys = catalogueLists.map((each) => each.key).join(', ');
  throw new AppError('unknown_list', `Unknown list '${key}'. Lists: ${keys}.`);
}

/** @throws AppError `unknown_field` for a name that is neither a field of the list nor `id`. */
export function assertKnownFields(list: CatalogueList, names: readonly string[]): void {
  const known = ['id', ...Object.keys(list.fields)];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new AppError(
    'unknown_field',
    `${list.label} has no field '${unknown}'. Its fields are: ${known.join(', ')}.`,
  );
}
