/** One record of a list, with all its details. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { integerText } from './integer-text.ts';
import { noBody, noQuery } from './no-input.ts';
import { detailSchema } from './row-schema.ts';

/** A record's number in a path. */
export const RecordId = z.object({
  id: integerText,
});

export function detailEndpoint(list: ListDefinition) {
  return defineEndpoint({
    name: `read_${list.key}`,
    summary: `One record of ${list.label}`,
    tag: list.label,
    method: 'GET',
    path: list.detailPath,
    access: 'standard',
    scope: 'read',
    params: RecordId,
    query: noQuery,
    body: noBody,
    reply: detailSchema(list),
  });
}
