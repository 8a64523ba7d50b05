/** Downloads a file with the browser, which writes it to the disk while it arrives. */

/** @param path - Below /api. */
export const takeFile = (path: string, fileName: string): void =>
  takeAddress(`/api${path}`, fileName);

/** Downloads a text that the console has already received. */
export function takeText(text: string, type: string, fileName: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  takeAddress(address, fileName);
  // The browser has read the address when the click returns; a moment later nothing needs it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function takeAddress(address: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
}
