/** An intake thread that fails on machines with certain keys and stores the others. */
import { parentPort, workerData } from 'node:worker_threads';
import type { CallThreadStart } from '../../platform/threads/serve-calls.ts';
import { serveIntake } from '../intake/serve-intake.ts';
import { takeReports } from '../intake/take-reports.ts';

const faults: Readonly<Record<string, () => void>> = {
  'never ends': () => {
    for (;;);
  },
  'takes all memory': () => {
    const memory: number[][] = [];
    for (;;) memory.push(Array.from({ length: 100_000 }, (_, at) => at + memory.length));
  },
  dies: () => process.exit(7),
  throws: () => {
    throw new TypeError('a defect');
  },
};

if (parentPort !== null)
  serveIntake(
    parentPort,
    workerData as CallThreadStart,
    async (context, client, machines, memory) => {
      for (const { key } of machines) faults[key]?.();
      // The thread dies between two statements of the transaction.
      if (machines.some(({ key }) => key === 'dies within')) {
        const { database } = context;
        const dying: typeof database = {
          ...database,
          query: (text, values) => database.query(text, values),
          transaction: (work) =>
            database.transaction(async (tx) => {
              await work(tx);
              process.exit(8);
            }),
        };
        return takeReports({ ...context, database: dying }, client, machines, memory);
      }
      return takeReports(context, client, machines, memory);
    },
  );
