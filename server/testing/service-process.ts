/** The service as a process of its own, for tests that start, kill and stop several of them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

export interface LoggedLine {
  readonly level: string;
  readonly msg: string;
  /** Of lines about a sync. */
  readonly source?: string;
}

export class ServiceProcess {
  readonly child: ChildProcess;
  /** The exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  out = '';
  error = '';

  /** Begins to start; `program` is another copy's server/main.ts. */
  constructor(environment: Readonly<Record<string, string>>, cwd: string, program = main) {
    this.child = spawn(process.execPath, [program], {
      cwd,
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        MAIL_TARGETS: 'localhost,127.0.0.1',
        ...environment,
      },
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.out += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.error += chunk.toString()));
    this.ended = new Promise((resolve) => this.child.once('exit', resolve));
  }

  /** Where it answers; empty for a worker. */
  async ready(): Promise<string> {
    for (;;) {
      const said = /^Patch Repository (?:is ready at (\S+)|worker is ready)$/m.exec(this.out);
      if (said !== null) return said[1] ?? '';
      if (!this.lives) throw new Error(`It ended before it was ready: ${this.error}`);
      await pause(20);
    }
  }

  get lives(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** What it has logged so far. */
  get logged(): readonly LoggedLine[] {
    const whole = this.out.split('\n').slice(0, -1);
    return whole
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as LoggedLine);
  }

  /** It has no time for anything. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /** As an administrator stops it. */
  stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.ended;
  }
}
