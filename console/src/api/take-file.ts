/** Has the browser take a file from below /api like any download: it goes to the disk while it comes in. */
export function takeFile(path: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = `/api${path}`;
  link.download = fileName;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
}
