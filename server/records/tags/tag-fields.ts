/** Fields whose values are tags: short words that many records share. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import type { ListKey } from '@patch/catalogue/lists.ts';

/** Text fields with few distinct values, in addition to the kinds that are always tags. */
const textFields: Readonly<Partial<Record<ListKey, readonly string[]>>> = {
  patch_repository: ['productName', 'productFamily', 'impact'],
  thirdparty_patch: ['manufacturer'],
};

export function getTagFields(list: ListDefinition): readonly string[] {
  const words = textFields[list.key as ListKey] ?? [];
  return Object.keys(list.fields).filter(
    (name) =>
      !isRestricted(list, name) &&
      (['tags', 'choice'].includes(getField(list, name).kind) || words.includes(name)),
  );
}
