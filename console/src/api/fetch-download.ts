/** Lets the browser fetch a file of the server's like any download: it goes to the disk while it comes in. */

/** `path` is below /api, as a ticket has it. */
export function fetchDownload(path: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = `/api${path}`;
  link.download = fileName;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
}
