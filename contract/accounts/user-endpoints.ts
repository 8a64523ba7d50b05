/** The users who may sign in: listing, creating, changing and removing them, and their pictures. */
import { z } from 'zod';
import { IdParams, integerText, Message } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { isPlainName, isPlainText, plainTextRule } from '../base/plain-text.ts';
import { userTypes } from '../base/user-types.ts';
import { isTimeZone } from '../dates/time-zone.ts';
import { maxGroups } from '../fleet/machine-group-endpoints.ts';
import { isEmail } from '../form-rules/text-rules.ts';
import { avatarImagePath } from './avatar-path.ts';
import { userSortOrders } from './user-sorts.ts';

export const User = z.object({
  id: z.number().int(),
  name: z.string(),
  /** Empty when unknown. */
  email: z.string(),
  userType: z.enum(userTypes),
  /** Numbers of the groups whose machines alone exist for the user; null: all machines. */
  machineGroups: z.array(z.number().int()).nullable(),
  /** IANA name; null for the browser's own. */
  timezone: z.string().nullable(),
  /** The picture's file name, for `GET /public/renderImage/{fileName}`; null without one. */
  avatar: z.string().nullable(),
  /** False for the current user and for the last administrator. */
  canDelete: z.boolean(),
  lastSignInAt: z.number().nullable(),
  createdAt: z.number(),
  twoFactor: z.boolean(),
  /** True until the user replaces the password of an invitation or an administrator. */
  mustChangePassword: z.boolean(),
});
export type User = z.infer<typeof User>;

/** How long an invitation's link is valid. */
export const invitationHours = 72;

/** A name must not look like an email address, because users sign in with either. */
const Name = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(100, 'Size of Name must be less than 100.')
  .refine(
    (name) => !name.includes('@') && isPlainName(name),
    'may not contain @, line breaks or invisible characters',
  );
const Email = z
  .string()
  .trim()
  .refine((text) => text === '' || isEmail(text), 'must be a valid email');
const Password = z.string().min(1, 'is required').max(1024);
const Timezone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'must be the name of a time zone, such as Europe/Berlin')
  .nullable();

const MachineGroups = z
  .array(z.number().int().positive())
  .min(1)
  .max(maxGroups)
  .nullable()
  .describe('Numbers of groups whose machines alone the user sees; null: all machines');

export const NewUser = z.strictObject({
  name: Name,
  email: Email.default(''),
  userType: z.enum(userTypes),
  machineGroups: MachineGroups.default(null),
  timezone: Timezone.default(null),
  /** Must be changed at the first sign-in. When absent, an emailed invitation lets the user choose one. */
  password: Password.optional(),
});
export type NewUser = z.infer<typeof NewUser>;

/** API keys cannot make these calls, so that a leaked key cannot create an account. */
const admins = { tag: 'Users', access: 'admin' } as const;
const own = { tag: 'Own account', access: 'standard', machines: 'none' } as const;

export const usersEndpoint = defineEndpoint({
  ...admins,
  name: 'users',
  summary: 'The users who may sign in',
  method: 'POST',
  path: '/user/all',
  reads: true,
  query: z.strictObject({
    offset: integerText.default(0),
    size: integerText.pipe(z.number().min(1).max(1000)).default(25),
    sort: z.enum(userSortOrders).default('name').describe('A leading minus: descending'),
  }),
  body: z
    .strictObject({
      keyword: z
        .string()
        .max(255)
        .refine(isPlainText, plainTextRule)
        .default('')
        .describe('In the name or the address'),
    })
    .default({ keyword: '' }),
  reply: z.object({ objectList: z.array(User), totalCount: z.number().int() }),
});

export const userOptionsEndpoint = defineEndpoint({
  ...admins,
  name: 'user_options',
  summary: 'All users, to choose from',
  method: 'GET',
  path: '/user/options',
  reply: z.array(
    z.object({ key: z.number().int(), id: z.number().int(), name: z.string(), email: z.string() }),
  ),
});

export const createUserEndpoint = defineEndpoint({
  ...admins,
  reauthenticates: true,
  name: 'create_user',
  summary: 'Create a user, with a password or by an invitation to their email address',
  method: 'POST',
  path: '/user',
  body: NewUser,
  reply: User,
  status: 201,
});

export const changeUserEndpoint = defineEndpoint({
  ...admins,
  reauthenticates: true,
  name: 'change_user',
  summary:
    'Change a user; omitted fields stay. A new password ends their sessions and must be changed at the next sign-in',
  method: 'PUT',
  path: '/user/{id}',
  params: IdParams,
  body: z.strictObject({
    name: Name.optional(),
    email: Email.optional(),
    userType: z.enum(userTypes).optional(),
    machineGroups: MachineGroups.optional(),
    timezone: Timezone.optional(),
    password: Password.optional(),
  }),
  reply: User,
});

export const inviteUserEndpoint = defineEndpoint({
  ...admins,
  reauthenticates: true,
  name: 'invite_user',
  summary: 'Send a user another link to choose a password',
  method: 'POST',
  path: '/user/{id}/invitation',
  params: IdParams,
  reply: Message,
});

export const deleteUserEndpoint = defineEndpoint({
  ...admins,
  reauthenticates: true,
  name: 'delete_user',
  summary:
    'Remove a user with their sessions, API keys, preferences and saved views; never the current user or the last administrator',
  method: 'DELETE',
  path: '/user/{id}',
  params: IdParams,
  reply: Message,
});

export const largestAvatar = 1024 * 1024;
/** Pixels of each side of a served picture. */
export const avatarSide = 128;

const Avatar = z.object({ avatar: z.string().nullable() });

export const setUserAvatarEndpoint = defineEndpoint({
  ...admins,
  name: 'set_user_avatar',
  summary:
    'Set a user’s picture: a PNG or JPEG file of at most 1 MB, cropped to a square and scaled down',
  method: 'PUT',
  path: '/user/{id}/avatar',
  params: IdParams,
  receives: 'file',
  reply: Avatar,
});

export const removeUserAvatarEndpoint = defineEndpoint({
  ...admins,
  name: 'remove_user_avatar',
  summary: 'Remove a user’s picture',
  method: 'DELETE',
  path: '/user/{id}/avatar',
  params: IdParams,
  reply: Avatar,
});

export const changeOwnProfileEndpoint = defineEndpoint({
  ...own,
  name: 'change_own_profile',
  summary: 'Change the current user’s name and time zone; omitted fields stay',
  method: 'PUT',
  path: '/me/profile',
  body: z.strictObject({ name: Name.optional(), timezone: Timezone.optional() }),
  reply: Message,
});

export const setOwnAvatarEndpoint = defineEndpoint({
  ...own,
  name: 'set_own_avatar',
  summary:
    'Set the current user’s picture: a PNG or JPEG file of at most 1 MB, cropped to a square and scaled down',
  method: 'PUT',
  path: '/me/avatar',
  receives: 'file',
  reply: Avatar,
});

export const removeOwnAvatarEndpoint = defineEndpoint({
  ...own,
  name: 'remove_own_avatar',
  summary: 'Remove the current user’s picture',
  method: 'DELETE',
  path: '/me/avatar',
  reply: Avatar,
});

export const avatarImageEndpoint = defineEndpoint({
  ...own,
  name: 'avatar_image',
  summary: 'A picture, by its secret name; it never changes',
  method: 'GET',
  path: avatarImagePath,
  access: 'public',
  params: z.object({ fileName: z.string().max(100) }),
  reply: z.unknown(),
  streams: 'image',
});
