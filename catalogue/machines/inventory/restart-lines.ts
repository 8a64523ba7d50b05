/** Reads whether a restart is due: `needs-restarting -r`, `zypper needs-rebooting`, and /run/reboot-required of Debian. */
import type { LineReader } from './line-reader.ts';

/** Yum, dnf 4, dnf 5 and zypper differ in the words behind it. */
const heading = /^(?:No c|C)ore libraries or services have been updated\b.{0,40}[.:]$/;
/** `  * kernel` and `  kernel -> 3.10.0-957.el7` */
const cause = /^ {2}(?:\* )?[\w.+-]{1,200}(?: -> \S{1,200})?$/;
const due = /^(?:Reboot is required to .{1,80}|\*{3} System restart required \*{3})$/;
const notDue = /^Reboot (?:is probably not|should not be) necessary\.$/;
const more =
  /^(?:More information:(?: https:\/\/\S{1,100})?|https:\/\/access\.redhat\.com\/solutions\/\d{1,9})$/;

export const readRestartDue: LineReader = (lines, at, draft) => {
  const text = lines[at]?.text ?? '';
  const isDue = due.test(text);
  if (isDue || notDue.test(text)) {
    draft.addRestart(isDue);
    draft.countUnderstood('restart due');
    return 1;
  }
  if (!heading.test(text) && !more.test(text)) return 0;
  let end = at + 1;
  if (heading.test(text)) while (cause.test(lines[end]?.text ?? '')) end += 1;
  draft.countUnderstood('restart due', end - at);
  return end - at;
};
