/** The service as a process of its own, signed in to. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type HttpClient, httpClient } from './bench-client.ts';

export interface RunningService {
  readonly url: string;
  readonly pid: number;
  /** Seconds from the start of the process until it is ready. */
  readonly startSeconds: number;
  /** Token of the administrator's session. */
  readonly token: string;
  /** Session as the console keeps it in its local storage. */
  readonly session: string;
  /** Client of the administrator. */
  readonly client: HttpClient;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('../server/main.ts', import.meta.url));
const account = { ADMIN_EMAIL: 'bench@example.org', ADMIN_PASSWORD: 'Bench-only-4711' };

/** `npm start` passes these on too. */
const inherited = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  MALLOC_ARENA_MAX: process.env['MALLOC_ARENA_MAX'],
  MALLOC_MMAP_THRESHOLD_: process.env['MALLOC_MMAP_THRESHOLD_'],
};

/** `onLine` receives each line that the service prints. */
export async function startService(
  environment: Readonly<Record<string, string>>,
  onLine: (line: string) => void = () => undefined,
): Promise<RunningService> {
  const since = performance.now();
  const service = spawn(process.execPath, ['--max-semi-space-size=16', program], {
    env: { ...inherited, PORT: '0', LOG_LEVEL: 'error', ...account, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(service, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    void ended.then(() => reject(new Error('The service ended before it was ready')));
    createInterface({ input: service.stdout }).on('line', (line) => {
      const address = /ready at (\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
      onLine(line);
    });
  });
  const startSeconds = (performance.now() - since) / 1000;
  const anonymous = httpClient(url, {});
  const credentials = { username: account.ADMIN_EMAIL, password: account.ADMIN_PASSWORD };
  const text = await anonymous.expect(200, 'POST', '/api/authenticate', credentials);
  anonymous.close();
  const { token, user } = JSON.parse(text) as { token: string; user: unknown };
  const client = httpClient(url, { authorization: `Apikey ${token}` });
  return {
    url,
    pid: service.pid ?? 0,
    startSeconds,
    token,
    session: JSON.stringify({ token, user, loginType: 'support-portal' }),
    client,
    async stop() {
      client.close();
      service.kill('SIGTERM');
      await ended;
    },
  };
}
