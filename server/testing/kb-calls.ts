/** Opens an application on a database, and returns a function that calls it as a signed-in user. */
import type { Database } from '../platform/database/database.ts';
import { send } from './caller.ts';
import { buildUsers, openApp, signIn } from './factories.ts';
import type { CallApi } from './kb-comparison.ts';

export async function callAs(database: Database): Promise<CallApi> {
  await buildUsers(database);
  const app = await openApp({ database });
  const headers = { authorization: `Apikey ${await signIn(app, 'Stan')}` };
  return async (method, path, body) => {
    const { status, bytes } = await send(app, method, path, { headers, body });
    const text = bytes.toString();
    if (status >= 300)
      throw new Error(`${method} ${path} returned ${status}: ${text.slice(0, 300)}`);
    return text;
  };
}
