/** The service process: reads the environment, starts, prints its address, and stops on a signal. */
import { inspect } from 'node:util';
import { buildApp } from './app.ts';
import type { FirstAdministrator } from './identity/sign-in/administrators.ts';
import { readConfig } from './platform/config/config.ts';
import { StartupError } from './platform/errors/startup-error.ts';
import { createPrivateFiles } from './platform/files/private-files.ts';
import { createLog, stdoutAndFile } from './platform/logging/logging.ts';
import { makeDataDir, type Service, startService } from './service/start-service.ts';

// Must run before the first file is written.
createPrivateFiles();
const config = runOrExit(() => readConfig(process.env, process.cwd()));
const log = runOrExit(() => {
  makeDataDir(config);
  return createLog(config.logLevel, stdoutAndFile(config.dataDir, config.logLevel));
});

function runOrExit<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return exitWith(error);
  }
}

function exitWith(error: unknown): never {
  process.stderr.write(`${error instanceof StartupError ? error.message : inspect(error)}\n`);
  process.exit(1);
}

/** Prints to the terminal only, not to the log, since the line may contain a password. */
const printLine = (line: string) => process.stdout.write(`${line}\n`);

function printFirstAdministrator({
  name,
  generatedPassword,
  brokenRules,
}: FirstAdministrator): void {
  if (generatedPassword !== null)
    printLine(
      `First administrator: user ${name}, password ${generatedPassword} (shown only once; must be changed at first sign-in)`,
    );
  else printLine(`First administrator: user ${name}, with the password of ADMIN_PASSWORD`);
  if (brokenRules.length > 0)
    log.warn(
      { missing: brokenRules },
      'ADMIN_PASSWORD is weaker than the password policy requires',
    );
}

function onFatal(error: Error): void {
  log.fatal({ err: error }, 'the service cannot continue');
  process.exit(1);
}

function endOnSignals(service: Service): void {
  let ending = false;
  const end = (signal: string) => {
    // A second signal forces the exit.
    if (ending) process.exit(1);
    ending = true;
    log.info({ signal }, 'stopping');
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => onFatal(error instanceof Error ? error : new Error(String(error))),
    );
  };
  // Windows sends SIGHUP when a console is closed, and service managers send SIGBREAK.
  const windows = process.platform === 'win32' ? (['SIGHUP', 'SIGBREAK'] as const) : [];
  for (const signal of ['SIGTERM', 'SIGINT', ...windows] as const) process.on(signal, end);
}

process.on('uncaughtException', onFatal);
try {
  const service = await startService(
    { config, log, buildApp },
    { onFirstAdministrator: printFirstAdministrator },
  );
  endOnSignals(service);
  printLine(
    service.url === null
      ? 'Patch Repository worker is ready'
      : `Patch Repository is ready at ${service.url}`,
  );
} catch (error) {
  exitWith(error);
}
