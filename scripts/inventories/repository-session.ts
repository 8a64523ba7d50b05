/** A running repository that has synced the feed mirror, as the comparison asks it. */
import { Assessment } from '@patch/contract/fleet/assessment-endpoint.ts';
import { z } from 'zod';

export interface RepositorySession {
  assess(bytes: Buffer): Promise<Assessment>;
  /** All listed updates of one KB, a row for each product. */
  updatesOf(kb: string): Promise<readonly CataloguedUpdate[]>;
  /** openSUSE's announcements by the names that zypper knows them by. */
  patchNames(): Promise<ReadonlyMap<string, string>>;
}

const UpdateRow = z.object({
  id: z.number(),
  productName: z.string().nullable(),
  kbId: z.string().nullable(),
  releaseDate: z.number().nullable(),
  supersededBy: z.array(z.string()).nullish(),
});
const UpdateDetail = z.object({
  line: z.string().nullish(),
  fixedBuild: z.array(z.string()).nullish(),
});
export type CataloguedUpdate = z.infer<typeof UpdateRow> & z.infer<typeof UpdateDetail>;

const PatchRow = z.object({ bulletinId: z.string().nullable(), patchName: z.string().nullish() });
const Rows = <Row extends z.ZodType>(row: Row) => z.object({ objList: z.array(row) });

export function repositorySession(server: string, key: string): RepositorySession {
  const ask = async (
    method: 'GET' | 'POST',
    path: string,
    type: string,
    body?: Buffer | string,
  ) => {
    const request = () =>
      fetch(`${server}/api${path}`, {
        method,
        headers: { authorization: `Apikey ${key}`, 'content-type': type },
        ...(body !== undefined && { body }),
      });
    // The tools of the field block this process for longer than the service keeps a connection open.
    const reply = await request().catch(request);
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`);
    return JSON.parse(text) as unknown;
  };
  const search = (path: string, keyword: string, size: number) =>
    ask('POST', `${path}?offset=0&size=${size}`, 'application/json', JSON.stringify({ keyword }));
  const updates = new Map<string, readonly CataloguedUpdate[]>();
  return {
    assess: async (bytes) =>
      Assessment.parse(await ask('POST', '/assessments', 'text/plain', bytes)),
    async updatesOf(kb) {
      const read = updates.get(kb);
      if (read !== undefined) return read;
      const { objList } = Rows(UpdateRow).parse(await search('/windows/kb/search', kb, 100));
      const found: CataloguedUpdate[] = [];
      for (const row of objList.filter(({ kbId }) => kbId === kb)) {
        const detail = await ask('GET', `/windows/kb/${row.id}`, 'application/json');
        found.push({ ...row, ...UpdateDetail.parse(detail) });
      }
      updates.set(kb, found);
      return found;
    },
    async patchNames() {
      const names = new Map<string, string>();
      const { objList } = Rows(PatchRow).parse(
        await search('/linux/opensusepatch/search', 'openSUSE', 1000),
      );
      for (const { bulletinId, patchName } of objList)
        if (bulletinId !== null && typeof patchName === 'string') names.set(bulletinId, patchName);
      return names;
    },
  };
}
