/** A machine in a folder: the collector reads it, and package managers of this system change it as if they ran there. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const collector = new URL('../../enrolment/collectors/patch-report.sh', import.meta.url);

/** Files of the system that scripts read, which are the machine's here. */
const systemFiles = ['/etc/os-release', '/var/lib/dpkg/status', '/run/reboot-'];

export class RealMachine {
  readonly folder: string;
  readonly root: string;
  readonly #variables: Readonly<Record<string, string>>;

  /** @param variables - Of the environment of all programs. */
  constructor(folder: string, variables: Readonly<Record<string, string>> = {}) {
    this.folder = folder;
    this.root = join(folder, 'root');
    this.#variables = variables;
  }

  /** Writes a file, with its folders. */
  async write(path: string, text: string): Promise<string> {
    const absolute = join(this.folder, path);
    await mkdir(dirname(absolute), { recursive: true });
    await writeFile(absolute, text);
    return absolute;
  }

  /** Puts a program before those of the system. */
  async addProgram(name: string, body: string): Promise<void> {
    await chmod(await this.write(`programs/${name}`, `#!/bin/sh\n${body}\n`), 0o755);
  }

  /** @throws when the program fails, with its output. */
  async run(program: string, words: readonly string[]): Promise<string> {
    const path = [join(this.folder, 'programs'), process.env['PATH'], '/usr/sbin', '/sbin'];
    const env = { ...process.env, ...this.#variables, PATH: path.join(':') };
    const options = { cwd: this.folder, env, timeout: 300_000, maxBuffer: 64 * 1024 ** 2 };
    const ended = await promisify(execFile)(program, words, options).catch(
      (failure: { readonly stdout: string; readonly stderr: string }) => {
        throw new Error(`${program} ${words.join(' ')}:\n${failure.stdout}${failure.stderr}`);
      },
    );
    return ended.stdout;
  }

  /** Runs a script of the product or of a person. */
  async runScript(text: string, ...words: readonly string[]): Promise<string> {
    const own = systemFiles.reduce(
      (script, file) => script.replaceAll(file, `${this.root}${file}`),
      text,
    );
    return this.run('sh', [await this.write('script.sh', own), ...words]);
  }

  /** Returns what the collector reports. */
  async inventory(): Promise<string> {
    return this.runScript(await readFile(collector, 'utf8'), 'print');
  }
}
