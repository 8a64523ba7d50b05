/** Opens an application on a database, and returns a function that calls it as a signed-in user. */
import type { Database } from '../platform/database/database.ts';
import { buildUsers, openApp, signIn } from './factories.ts';
import type { CallApi } from './kb-comparison.ts';

export async function callAs(database: Database): Promise<CallApi> {
  await buildUsers(database);
  const app = await openApp({ database });
  const token = await signIn(app, 'Stan');
  return async (method, path, body) => {
    const reply = await app.inject({
      method,
      url: `/api${path}`,
      headers: { authorization: `Apikey ${token}` },
      ...(body && { payload: body }),
    });
    if (reply.statusCode >= 300)
      throw new Error(
        `${method} ${path} returned ${reply.statusCode}: ${reply.body.slice(0, 300)}`,
      );
    return reply.body;
  };
}
