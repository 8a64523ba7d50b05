/** Runs the service as a separate process, for tests with several of them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from './child-environment.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

export interface LoggedLine {
  readonly level: string;
  readonly msg: string;
  /** Source of a line about a sync. */
  readonly source?: string;
  /** Run of a line about a sync. */
  readonly run?: number;
}

export class ServiceProcess {
  readonly child: ChildProcess;
  /** The exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  out = '';
  error = '';

  /** Starts the process. `program` may be server/main.ts of another copy. */
  constructor(environment: Readonly<Record<string, string>>, cwd: string, program = main) {
    this.child = spawn(process.execPath, [program], {
      cwd,
      env: {
        ...childEnvironment,
        PORT: '0',
        MAIL_TARGETS: 'localhost,127.0.0.1',
        ...environment,
      },
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.out += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.error += chunk.toString()));
    this.ended = new Promise((resolve) => this.child.once('exit', resolve));
  }

  /** Waits until the service is ready. Returns its address; empty for a worker. */
  async ready(): Promise<string> {
    for (;;) {
      const match = /^Patch Repository (?:is ready at (\S+)|worker is ready)$/m.exec(this.out);
      if (match !== null) return match[1] ?? '';
      if (!this.isRunning) throw new Error(`The service ended before it was ready: ${this.error}`);
      await pause(20);
    }
  }

  /** Signs in when the service is ready. `call` then makes calls of this user, by POST with a body and else by GET. */
  async signIn(username: string, password: string) {
    const url = `${await this.ready()}/api`;
    const headers = { 'content-type': 'application/json', authorization: '' };
    const call = async (path: string, body?: object) => {
      const sent = body && { method: 'POST', body: JSON.stringify(body) };
      const reply = await fetch(`${url}${path}`, { headers, ...sent });
      return (await reply.json()) as Readonly<Record<string, unknown>>;
    };
    const { token, user } = await call('/authenticate', { username, password });
    headers.authorization = `Apikey ${String(token)}`;
    return { url, headers, user, call };
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The lines logged so far. */
  get logged(): readonly LoggedLine[] {
    const lines = this.out.split('\n').slice(0, -1);
    return lines
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as LoggedLine);
  }

  /** Kills the process without a chance to clean up. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /** Stops the process like an administrator, and returns the exit code. */
  stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.ended;
  }
}
