/** The real service as a process of its own, signed in to. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type HttpClient, httpClient } from './measure.ts';

export interface RunningService {
  /** Where it answers. */
  readonly url: string;
  /** Of the administrator's session. */
  readonly token: string;
  /** What the console keeps of a session in its local storage. */
  readonly session: string;
  readonly client: HttpClient;
  /** Resident memory of the process in bytes; null where the system does not tell. */
  readonly memory: () => Promise<number | null>;
  /** Proportional set size in bytes; null where the system does not tell. */
  readonly pss: () => Promise<number | null>;
  /** Seconds of processor time that the process has used; null where the system does not tell. */
  readonly cpu: () => Promise<number | null>;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('../server/main.ts', import.meta.url));
const account = { ADMIN_EMAIL: 'bench@example.org', ADMIN_PASSWORD: 'Bench-only-4711' };

/** What `npm start` gives the service too. */
const ofThisProcess = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};

/** `onLine`: given each line that the service prints. */
export async function startService(
  environment: Readonly<Record<string, string>>,
  onLine: (line: string) => void = () => undefined,
): Promise<RunningService> {
  const service = spawn(process.execPath, [program], {
    env: { ...ofThisProcess, PORT: '0', LOG_LEVEL: 'error', ...account, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(service, 'exit');
  const base = await new Promise<string>((resolve, reject) => {
    void ended.then(() => reject(new Error('The service ended before it was ready')));
    createInterface({ input: service.stdout }).on('line', (line) => {
      const url = /ready at (\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
      onLine(line);
    });
  });
  const anonymous = httpClient(base, null);
  const signedIn = await anonymous.ask('POST', '/api/authenticate', {
    username: account.ADMIN_EMAIL,
    password: account.ADMIN_PASSWORD,
  });
  anonymous.close();
  if (signedIn.status !== 200)
    throw new Error(`Signing in answered ${signedIn.status}: ${signedIn.text}`);
  const { token, user } = JSON.parse(signedIn.text) as { token: string; user: unknown };
  const client = httpClient(base, `Apikey ${token}`);
  const told = (file: string) =>
    readFile(`/proc/${service.pid ?? 0}/${file}`, 'utf8').catch(() => '');
  return {
    url: base,
    token,
    session: JSON.stringify({ token, user, loginType: 'support-portal' }),
    client,
    memory: async () => bytesIn(await told('status'), /^VmRSS:\s+(\d+)/m),
    pss: async () => bytesIn(await told('smaps_rollup'), /^Pss:\s+(\d+)/m),
    async cpu() {
      const stat = await told('stat');
      const [inUserMode, inKernel] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 13);
      return stat === '' ? null : (Number(inUserMode) + Number(inKernel)) / ticks;
    },
    async stop() {
      client.close();
      service.kill('SIGTERM');
      await ended;
    },
  };
}

/** Clock ticks a second, of every Linux. */
const ticks = 100;

function bytesIn(text: string, kilobytes: RegExp): number | null {
  const found = kilobytes.exec(text)?.[1];
  return found === undefined ? null : Number(found) * 1024;
}
