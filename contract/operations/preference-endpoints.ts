/**
 * A user's preferences of each list (columns in order, widths, page size, sort, density, paging) and of the frame around them.
 * The server stores them, so that they apply in every browser.
 */
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';
import { ProductChoice } from '../base/product-choice.ts';

export const loadModes = ['paging', 'loadmore'] as const;
export const densities = ['comfortable', 'dense'] as const;
export const leastColumnWidth = 80;

/** Absent properties have the list's defaults. */
export const ListPreference = z.strictObject({
  /** Field names in display order. */
  columns: z.array(z.string().max(100)).min(1).max(100).optional(),
  widths: z
    .record(z.string().max(100), z.number().int().min(leastColumnWidth).max(2000))
    .optional(),
  pageSize: z.number().int().min(1).max(1000).optional(),
  /** A field, with a leading minus for descending. */
  sort: z.string().max(100).optional(),
  density: z.enum(densities).optional(),
  loadMode: z.enum(loadModes).optional(),
  /** Off: a row for each record, also where several belong to one update. */
  grouping: z.enum(['off']).optional(),
});
export type ListPreference = z.infer<typeof ListPreference>;

export const sidebarStates = ['expanded', 'collapsed'] as const;
export const themeModes = ['light', 'dark', 'system'] as const;
const visibilities = ['shown', 'hidden'] as const;

/** Absent properties have their defaults: an expanded sidebar, the system's theme, facets and histogram shown. */
export const FramePreference = z.strictObject({
  sidebar: z.enum(sidebarStates).optional(),
  theme: z.enum(themeModes).optional(),
  /** Shows or hides the column of facets beside a list. */
  facets: z.enum(visibilities).optional(),
  /** Shows or hides the histogram of dates above a list's rows. */
  histogram: z.enum(visibilities).optional(),
  /** Hidden: the administrator has seen the first steps of the dashboard. */
  firstSteps: z.enum(visibilities).optional(),
  /** The user has checked a machine, which is one of the first steps. */
  machine: z.enum(['checked']).optional(),
  /** The user's products, for pages that can show only theirs. */
  products: ProductChoice.optional(),
  /** Dismissed: the dashboard asks no more which products the user looks after. */
  productsQuestion: z.enum(['dismissed']).optional(),
});
export type FramePreference = z.infer<typeof FramePreference>;

export const moduleNameMissing = 'Module name is required in update module preference';

const OwnPreferences = z.object({
  preferences: z.record(z.string(), ListPreference).describe('By the key of the list'),
  frame: FramePreference,
});
export type OwnPreferences = z.infer<typeof OwnPreferences>;

const users = { tag: 'Preferences', access: 'standard', machines: 'none' } as const;

export const preferencesEndpoint = defineEndpoint({
  ...users,
  name: 'preferences',
  summary: 'The current user’s preferences: by list, and of the frame around the lists',
  method: 'GET',
  path: '/preference',
  reply: OwnPreferences,
});

export const savePreferenceEndpoint = defineEndpoint({
  ...users,
  name: 'save_preference',
  summary: 'Set the current user’s preference of one list; it replaces the previous one',
  method: 'POST',
  path: '/preference',
  /** `moduleName` is the key of a list. */
  body: z.strictObject({
    moduleName: z.string({ error: moduleNameMissing }).min(1, moduleNameMissing).max(100),
    preference: ListPreference,
  }),
  reply: OwnPreferences,
});

export const resetPreferenceEndpoint = defineEndpoint({
  ...users,
  name: 'reset_preference',
  summary: 'Remove the current user’s preference of one list',
  method: 'DELETE',
  path: '/preference/{moduleName}',
  params: z.object({ moduleName: z.string().max(100) }),
  reply: OwnPreferences,
});

export const saveFramePreferenceEndpoint = defineEndpoint({
  ...users,
  name: 'save_frame_preference',
  summary:
    'Set the current user’s preference of the frame (sidebar and theme); it replaces the previous one',
  method: 'POST',
  path: '/preference/frame',
  body: FramePreference,
  reply: OwnPreferences,
});
