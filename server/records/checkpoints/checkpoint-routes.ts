/** Routes of checkpoints. */
import {
  checkpointDifferenceEndpoint,
  checkpointsEndpoint,
  createCheckpointEndpoint,
  maxCheckpoints,
  removeCheckpointEndpoint,
} from '@patch/contract/licensing/checkpoint-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { DatabaseError } from '../../platform/database/database-error.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import {
  addCheckpoint,
  lockCheckpoints,
  readCheckpointRevisions,
  readCheckpoints,
  removeCheckpoint,
} from './checkpoint-store.ts';
import { compareMoments } from './compare-moments.ts';

interface CheckpointRoutes {
  readonly database: Database;
  readonly clock: () => number;
}

export function checkpointRoutes(
  route: RouteRegistrar,
  { database, clock }: CheckpointRoutes,
): void {
  route(checkpointsEndpoint, async () => {
    const objList = [...(await readCheckpoints(database))];
    return { objList, totalCount: objList.length };
  });

  route(createCheckpointEndpoint, async ({ body: { name }, changed, ...request }) => {
    const createdBy = requireUser(request).name;
    const created = await untilWritersEnd(() =>
      database.transaction(async (tx) => {
        if ((await lockCheckpoints(tx)) >= maxCheckpoints)
          throw new AppError(
            'too_many_checkpoints',
            `There are ${maxCheckpoints} checkpoints already. Remove one first.`,
          );
        return addCheckpoint(tx, { name, createdBy }, clock());
      }),
    );
    if (created === null)
      throw new AppError(
        'name_taken',
        `Another checkpoint is named '${name}'. Choose another name.`,
      );
    changed({ subject: `checkpoint ${name}`, after: { id: created.id } });
    return created;
  });

  route(removeCheckpointEndpoint, async ({ params: { id }, changed }) => {
    const name = await unlessInUse(() =>
      database.transaction(async (tx) => {
        await lockCheckpoints(tx);
        return removeCheckpoint(tx, id);
      }),
    );
    if (name === null) throw noSuchCheckpoint(id);
    changed({ subject: `checkpoint ${name}`, before: { id } });
    return {};
  });

  route(checkpointDifferenceEndpoint, async ({ query: { from, to, ring } }) => {
    const requireRevisions = async (id: number) => {
      const revisions = await readCheckpointRevisions(database, id);
      if (revisions === null) throw noSuchCheckpoint(id);
      return revisions;
    };
    const before = await requireRevisions(from);
    const after = to === undefined ? null : await requireRevisions(to);
    const objList = await compareMoments(database, before, after, ring);
    return { objList, totalCount: objList.length };
  });
}

const noSuchCheckpoint = (id: number) =>
  new AppError('no_such_checkpoint', `Checkpoint ${id} does not exist.`);

/** @throws AppError `busy` when records are written for so long that the checkpoint could not wait. */
async function untilWritersEnd<T>(create: () => Promise<T>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== '55P03') throw error;
    throw new AppError('busy', 'Records are being written. Try again in a minute.', {
      retryAfterSeconds: 60,
    });
  }
}

/** @throws AppError `checkpoint_in_use` when a ring is on the checkpoint. */
async function unlessInUse<T>(remove: () => Promise<T>): Promise<T> {
  try {
    return await remove();
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== '23503') throw error;
    throw new AppError(
      'checkpoint_in_use',
      'A ring is on this checkpoint. Move the ring to another one first.',
    );
  }
}
