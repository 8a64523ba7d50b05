/** Downloads a file with the browser, which writes it to the disk while it arrives. */

/** @param path - Below /api, as in a ticket. */
export function fetchDownload(path: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = `/api${path}`;
  link.download = fileName;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
}
