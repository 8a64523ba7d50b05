/** The calls about people's pictures. */
import {
  avatarImageCall,
  removeOwnAvatarCall,
  removeUserAvatarCall,
  setOwnAvatarCall,
  setUserAvatarCall,
} from '@patch/contract/user-calls.ts';
import type { Call } from '@patch/contract/call.ts';
import { randomBytes } from 'node:crypto';
import type { Sessions } from '../auth/sessions.ts';
import { whoAsks } from '../auth/who-asks.ts';
import type { Database } from '../database/database.ts';
import { type Answer, KeptImage, type Request } from '../http/answer.ts';
import { Refusal } from '../http/refusal.ts';
import { avatarPicture } from './avatar-picture.ts';
import { readAvatar, removeAvatar, writeAvatar } from './avatar-store.ts';
import { findUserById } from './user-store.ts';

export interface AvatarParts {
  readonly database: Database;
  readonly sessions: Pick<Sessions, 'forget'>;
}

export function avatarRoutes(answer: Answer, { database, sessions }: AvatarParts): void {
  answer(setUserAvatarCall, (request) => set(request.params.id, request));
  answer(setOwnAvatarCall, (request) => set(whoAsks(request).id, request));
  answer(removeUserAvatarCall, (request) => remove(request.params.id, request));
  answer(removeOwnAvatarCall, (request) => remove(whoAsks(request).id, request));

  answer(avatarImageCall, async ({ params: { fileName } }) => {
    const image = /^[\w-]{43}\.png$/.test(fileName) ? await readAvatar(database, fileName) : null;
    if (image === null) throw new Refusal(404, 'no_such_picture', 'This picture no longer exists.');
    return new KeptImage(fileName, image);
  });

  async function set(id: number, { upload, changed }: Pick<Request<Call>, 'upload' | 'changed'>) {
    const { name } = await person(id);
    if (upload === null) throw new Error('A call that sets a picture receives a file');
    const image = await avatarPicture(upload);
    const avatar = `${randomBytes(32).toString('base64url')}.png`;
    if (!(await writeAvatar(database, id, avatar, image))) throw noSuchUser();
    sessions.forget(id);
    changed({ subject: `user ${name}`, after: { picture: 'changed' } });
    return { avatar };
  }

  async function remove(id: number, { changed }: Pick<Request<Call>, 'changed'>) {
    const { name } = await person(id);
    await removeAvatar(database, id);
    sessions.forget(id);
    changed({ subject: `user ${name}`, after: { picture: 'removed' } });
    return { avatar: null };
  }

  async function person(id: number) {
    const known = await findUserById(database, id);
    if (known === null) throw noSuchUser();
    return known.user;
  }
}

const noSuchUser = () => new Refusal(404, 'no_such_user', 'This user no longer exists.');
