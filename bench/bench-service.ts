/** The real service as a process of its own, signed in to. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
  const client = httpClient(base, token);
  return {
    url: base,
    token,
    session: JSON.stringify({ token, user, loginType: 'support-portal' }),
    client,
    async memory() {
      const { readFile } = await import('node:fs/promises');
      const status = await readFile(`/proc/${service.pid ?? 0}/status`, 'utf8').catch(() => '');
      const kilobytes = /VmRSS:\s+(\d+)/.exec(status)?.[1];
      return kilobytes === undefined ? null : Number(kilobytes) * 1024;
    },
    async stop() {
      client.close();
      service.kill('SIGTERM');
      await ended;
    },
  };
}
