/** Restricts the servers of mail tests: a test reports which ports answer, and must not explore this machine or its network. */

import { isLocalAddress } from '../network/local-address.ts';
import { TargetExceptions } from '../network/target-exceptions.ts';

/** SMTP, submission, submission with TLS, and further ports of large providers. */
const mailPorts: readonly number[] = [25, 465, 587, 2465, 2525, 2587];

interface Target {
  readonly server: string;
  readonly port: number;
}

/** The reason why a mail server is not allowed, with advice; null when it is allowed. */
export type TargetProblem = { readonly words: string; readonly advice: string } | null;

/** `exceptions`: MAIL_TARGETS, each `host` or `host:port`. */
export class MailTargets {
  readonly #exceptions: TargetExceptions;

  constructor(exceptions: readonly string[]) {
    this.#exceptions = new TargetExceptions(exceptions);
  }

  /** Checks the port, before the name is resolved. */
  checkPort(target: Target): TargetProblem {
    if (this.#exceptions.hasHost(target.server, target.port) || mailPorts.includes(target.port))
      return null;
    return {
      words: `Port ${target.port} is not a port for mail.`,
      advice: `Allowed are ${mailPorts.join(', ')}. MAIL_TARGETS=${target.server}:${target.port} in the environment of the service allows this one.`,
    };
  }

  /** @param address - The resolved address of the server. */
  checkAddress(target: Target, address: string): TargetProblem {
    if (this.#exceptions.hasHost(target.server, target.port) || !isLocalAddress(address))
      return null;
    return {
      words: `${address} is an address of this machine or its own link.`,
      advice: `MAIL_TARGETS=${target.server}:${target.port} in the environment of the service allows it, for a relay on the same machine.`,
    };
  }
}
