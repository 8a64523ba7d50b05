/** The published catalogue as the service itself serves it: the paths of docs/catalogue-format.md. */
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';

const files = {
  tag: 'Client protocol',
  access: 'public',
  method: 'GET',
  reply: z.string(),
  streams: 'file',
} as const;

const part = z.string().max(200);

export const treeHeadEndpoint = defineEndpoint({
  ...files,
  name: 'tree_head',
  summary:
    'head.jsonl of the published catalogue: which revision of each list there is, signed. 404: this service publishes none',
  path: '/tree/{file}',
  params: z.object({ file: part }),
});

export const treeRootEndpoint = defineEndpoint({
  ...files,
  name: 'tree_root',
  summary: 'A root of the published catalogue: who may sign its head',
  path: '/tree/root/{file}',
  params: z.object({ file: part }),
});

export const treeFileEndpoint = defineEndpoint({
  ...files,
  name: 'tree_file',
  summary:
    'A segment or the index of a list. Such files never change; segments are sealed with keys that licensed clients get with their heartbeat',
  path: '/tree/{epoch}/{list}/{file}',
  params: z.object({ epoch: part, list: part, file: part }),
});
