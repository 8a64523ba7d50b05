/** Parameters of run messages that identify a part and a list. */
import type { AnyPart } from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';

export interface PartParams {
  readonly part: string;
  readonly partLabel: string;
}

export function partParams({ key, label }: AnyPart): PartParams {
  return { part: key, partLabel: label };
}

export function partListParams(part: AnyPart, list: ListDefinition) {
  return { ...partParams(part), list: list.key, listLabel: list.label };
}
