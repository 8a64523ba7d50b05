/** One record of a list, with all its details. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { IdParams } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { detailSchema } from '../base/row-schema.ts';

export function detailEndpoint(list: ListDefinition) {
  return defineEndpoint({
    name: `read_${list.key}`,
    summary: `One record of ${list.label}`,
    tag: list.label,
    method: 'GET',
    path: list.detailPath,
    access: 'standard',
    machines: 'own',
    scope: 'read',
    params: IdParams,
    reply: detailSchema(list),
  });
}
