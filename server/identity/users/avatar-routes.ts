/** Routes for users' pictures. */

import { randomBytes } from 'node:crypto';
import {
  avatarImageEndpoint,
  removeOwnAvatarEndpoint,
  removeUserAvatarEndpoint,
  setOwnAvatarEndpoint,
  setUserAvatarEndpoint,
} from '@patch/contract/accounts/user-endpoints.ts';
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import {
  CachedImage,
  type EndpointRequest,
  type RouteRegistrar,
} from '../../platform/http/route.ts';
import { getExistingUser, noSuchUser } from '../accounts/user-store.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { avatarPicture } from './avatar-picture.ts';
import { readAvatar, removeAvatar, writeAvatar } from './user-list-store.ts';

export interface AvatarParts {
  readonly database: Database;
  readonly sessions: Pick<Sessions, 'forget'>;
}

export function avatarRoutes(route: RouteRegistrar, { database, sessions }: AvatarParts): void {
  route(setUserAvatarEndpoint, (request) => set(request.params.id, request));
  route(setOwnAvatarEndpoint, (request) => set(requireUser(request).id, request));
  route(removeUserAvatarEndpoint, (request) => remove(request.params.id, request));
  route(removeOwnAvatarEndpoint, (request) => remove(requireUser(request).id, request));

  route(avatarImageEndpoint, async ({ params: { fileName } }) => {
    const image = /^[\w-]{43}\.png$/.test(fileName) ? await readAvatar(database, fileName) : null;
    if (image === null) throw new AppError('no_such_picture', 'This picture no longer exists.');
    return new CachedImage(fileName, image);
  });

  async function set(
    id: number,
    { upload, changed }: Pick<EndpointRequest<Endpoint>, 'upload' | 'changed'>,
  ) {
    const { name } = await getExistingUser(database, id);
    if (upload === null) throw new Error('A call that sets a picture receives a file');
    const image = await avatarPicture(upload);
    const avatar = `${randomBytes(32).toString('base64url')}.png`;
    if (!(await writeAvatar(database, id, avatar, image))) throw noSuchUser();
    sessions.forget(id);
    changed({ subject: `user ${name}`, after: { picture: 'changed' } });
    return { avatar };
  }

  async function remove(id: number, { changed }: Pick<EndpointRequest<Endpoint>, 'changed'>) {
    const { name } = await getExistingUser(database, id);
    await removeAvatar(database, id);
    sessions.forget(id);
    changed({ subject: `user ${name}`, after: { picture: 'removed' } });
    return { avatar: null };
  }
}
