/** Recognizes prompts and commands that were copied together with their output. */
import type { LineReader } from './line-reader.ts';

const prompts = [
  /^[\w.-]{1,64}@[\w.-]{1,64}[: ][^#$%]{0,200}[#$%](?: |$)/,
  /^\[[\w.-]{1,64}@[\w.-]{1,64} [^\]]{0,200}\] ?[#$](?: |$)/,
  /^(?:ba|z|k|da)?sh-[\d.]{1,8}[#$](?: |$)/,
  /^[$#%>] \S/,
  /^(?:PS )?[A-Za-z]:\\[^>]{0,200}>/,
  /^PS [/~][^>]{0,200}>/,
];

/** Commands without a prompt. A package may have the name of a command, so an argument must follow that cannot be a version. */
const commands = [
  /^(?:sudo )?(?:rpm|dpkg|dpkg-query|uname|lsb_release|apt|dnf|yum|zypper) -/,
  /^(?:sudo )?(?:apt|dnf|yum) list\b/,
  /^(?:cat|type|more) [^\d\s]\S{0,200}$/,
  /^wmic (?:\/\S+ )*(?:qfe|os)\b/i,
  /^winget (?:list|export|ls)\b/i,
  /^(?:systeminfo|ver|sw_vers|Get-HotFix|Get-ComputerInfo)(?:\.exe)?(?: [/|>-].{0,200})?$/i,
  /^(?:powershell|cmd)(?:\.exe)? [-/]/i,
];

export function isCommandLine(text: string): boolean {
  return [...prompts, ...commands].some((form) => form.test(text));
}

export const readCommandLine: LineReader = (lines, at, draft) => {
  if (!isCommandLine(lines[at]?.text ?? '')) return 0;
  draft.countUnderstood('command line');
  return 1;
};
