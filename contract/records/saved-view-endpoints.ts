/** Saved views: named searches of a list, private or shared, one of which can be a user's default for the list. */
import { z } from 'zod';
import { IdParams, Message, plainLine } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { RequestedCriteria } from '../base/requested-criteria.ts';
import { Keyword } from './search-endpoint.ts';

/** Written like the list's address, so that relative times stay relative. */
export const ViewSearch = z.strictObject({
  /** As written by `writeCriteria`; empty for none. */
  criteria: z.string(),
  keyword: Keyword,
  sort: z.string().max(100).nullable(),
  /** Null for the user's own columns. */
  columns: z.array(z.string().max(100)).min(1).max(100).nullable(),
});
export type ViewSearch = z.infer<typeof ViewSearch>;

/** The search of a view in a request. */
export const RequestedViewSearch = ViewSearch.extend({
  criteria: RequestedCriteria.describe('As in the address of the list, or that address'),
});

export const SavedView = z.object({
  id: z.number().int(),
  list: z.string(),
  name: z.string(),
  /** Everybody sees a shared view; only its owner and administrators change it. */
  shared: z.boolean(),
  ownerName: z.string(),
  /** True when the caller may change it. */
  mayChange: z.boolean(),
  /** True when it is the caller's default for the list. */
  isDefault: z.boolean(),
  search: ViewSearch,
  updatedAt: z.number(),
});
export type SavedView = z.infer<typeof SavedView>;

export const maxViewsOfAPerson = 200;
const Name = plainLine(100, 'Size of Name must be less than 100.');
const Views = z.object({ objList: z.array(SavedView), totalCount: z.number().int() });

const users = { tag: 'Saved views', access: 'standard', machines: 'none' } as const;

export const savedViewsEndpoint = defineEndpoint({
  ...users,
  name: 'saved_views',
  summary: 'The current user’s views and shared views, of all lists or of one',
  method: 'GET',
  path: '/views',
  query: z.strictObject({ list: z.string().max(100).optional() }),
  reply: Views,
});

export const createViewEndpoint = defineEndpoint({
  ...users,
  name: 'create_view',
  summary: 'Save a search as a view; 409 when the user already has a view of that name in the list',
  method: 'POST',
  path: '/views',
  body: z.strictObject({
    list: z.string().max(100),
    name: Name,
    shared: z.boolean(),
    isDefault: z.boolean(),
    search: RequestedViewSearch,
  }),
  reply: SavedView,
  status: 201,
});

export const changeViewEndpoint = defineEndpoint({
  ...users,
  name: 'change_view',
  summary: 'Rename, share or overwrite a view, or make it the user’s default',
  method: 'PUT',
  path: '/views/{id}',
  params: IdParams,
  /** Absent properties stay unchanged. `isDefault` concerns only the caller, and may be set on any visible view. */
  body: z.strictObject({
    name: Name.optional(),
    shared: z.boolean().optional(),
    isDefault: z.boolean().optional(),
    search: RequestedViewSearch.optional(),
  }),
  reply: SavedView,
});

export const deleteViewEndpoint = defineEndpoint({
  ...users,
  name: 'delete_view',
  summary: 'Remove a view',
  method: 'DELETE',
  path: '/views/{id}',
  params: IdParams,
  reply: Message,
});
