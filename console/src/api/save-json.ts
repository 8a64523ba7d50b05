/** Saves a value as a JSON file of the browser. */
export function saveJson(value: unknown, fileName: string): void {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
