/** Downloads a file below /api with the browser, which writes it to the disk while it arrives. */
export function takeFile(path: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = `/api${path}`;
  link.download = fileName;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
}
