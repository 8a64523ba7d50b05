/** Notes and assignees: who deals with a record that machines miss, or with what one machine misses, and what people say about it. */
import { z } from 'zod';
import { instant, integerText, plainLine } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { isPlainLines, plainLinesRule } from '../base/plain-text.ts';
import { GroupOwner, StoredOwner } from '../fleet/machine-group-endpoints.ts';

const tag = 'Machines';
const users = { tag, access: 'standard', scope: 'read' } as const;
const operators = { tag, access: 'operator', scope: 'clients' } as const;

/** The limit for a record on all machines, and again for a record on each machine. */
export const maxNotes = 100;
export const maxNoteLength = 2000;

const RecordParams = z.object({ list: z.string().max(100), recordId: integerText });
const machineId = z
  .number()
  .int()
  .min(1)
  .optional()
  .describe('The machine that misses the record; absent: all machines');
const stored = z.number().int().nullable().describe('Null: all machines');

export const RecordNote = z.object({
  id: z.number().int(),
  machineId: stored,
  text: z.string(),
  by: z.string().describe('The author'),
  byUserId: z.number().int().nullable().describe('Null: the user was removed'),
  time: instant,
});
export type RecordNote = z.infer<typeof RecordNote>;

export const Assignee = StoredOwner.extend({
  by: z.string().describe('Who assigned it'),
  time: instant,
});
export type Assignee = z.infer<typeof Assignee>;

export const RecordNotes = z.object({
  objList: z
    .array(RecordNote)
    .describe('Those on the record for all machines, and on the machine; the newest in front'),
  totalCount: z.number().int(),
  assignee: Assignee.nullable().describe('Of the record on all machines'),
  machineAssignee: Assignee.nullable().describe(
    'Of the record on the machine, who takes the place of the one for all machines',
  ),
});
export type RecordNotes = z.infer<typeof RecordNotes>;

export const recordNotesEndpoint = defineEndpoint({
  ...users,
  machines: 'own',
  name: 'record_notes',
  summary: 'The notes and the assignee of a record, for all machines and for one machine',
  method: 'GET',
  path: '/records/{list}/{recordId}/notes',
  params: RecordParams,
  query: z.strictObject({ machineId: integerText.optional().describe('Absent: no machine') }),
  reply: RecordNotes,
});

export const addNoteEndpoint = defineEndpoint({
  ...operators,
  machines: 'own',
  name: 'add_record_note',
  summary: `Add a note to a record, for all machines or for one; each has at most ${maxNotes}`,
  method: 'POST',
  path: '/records/{list}/{recordId}/notes',
  params: RecordParams,
  body: z.strictObject({
    machineId,
    text: z
      .string()
      .trim()
      .min(1, 'is required')
      .max(maxNoteLength)
      .refine(isPlainLines, plainLinesRule),
  }),
  status: 201,
  reply: RecordNote,
});

export const removeNoteEndpoint = defineEndpoint({
  ...operators,
  machines: 'own',
  name: 'remove_record_note',
  summary: 'Remove a note: an operator removes own ones, an approver those of everybody',
  method: 'DELETE',
  path: '/records/notes/{noteId}',
  params: z.object({ noteId: integerText }),
  reply: z.object({}),
});

export const assignEndpoint = defineEndpoint({
  ...operators,
  machines: 'own',
  name: 'assign_record',
  summary: 'Say who deals with a record, on all machines or on one',
  method: 'PUT',
  path: '/records/{list}/{recordId}/assignee',
  params: RecordParams,
  body: z.strictObject({ machineId, assignee: GroupOwner.nullable().describe('Null: nobody') }),
  reply: z.object({}),
});

export const Assignment = Assignee.extend({
  id: z.number().int(),
  list: z.string(),
  recordId: z.number().int(),
  identifier: z.string().nullable(),
  title: z.string().nullable(),
  machineId: stored,
  machine: z.string().nullable().describe('The name of the machine'),
});
export type Assignment = z.infer<typeof Assignment>;

export const assignmentsEndpoint = defineEndpoint({
  ...users,
  machines: 'own',
  name: 'record_assignments',
  summary: 'Who deals with which records, on all machines or on one; the newest in front',
  method: 'GET',
  path: '/records/assignments',
  query: z.strictObject({
    offset: integerText.pipe(z.number().max(10_000_000)).default(0),
    size: integerText.pipe(z.number().min(1).max(1000)).default(100),
    to: plainLine(320)
      .optional()
      .describe('`me`, the number of a user, or an email address; absent: everybody'),
  }),
  reply: z.object({ objList: z.array(Assignment), totalCount: z.number().int() }),
});
