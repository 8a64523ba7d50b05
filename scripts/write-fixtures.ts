/** `npm run fixtures -- <vendor>`: writes what the vendor's fixture generator publishes into its fixtures, and removes what it does not. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fixtureDifference, generatedVendors } from '@patch/catalogue/testing/fixture-files.ts';

const [vendor, ...rest] = process.argv.slice(2);
const vendors = generatedVendors();
if (vendor === undefined || rest.length > 0 || !vendors.includes(vendor)) {
  const what =
    vendor === undefined ? 'Name a vendor' : `The fixtures of '${vendor}' are not generated`;
  process.stderr.write(
    `${what}: npm run fixtures -- <vendor>. Generated are those of: ${vendors.join(', ') || 'no vendor'}.\n`,
  );
  process.exit(2);
}

const { folder, stale, left } = await fixtureDifference(vendor);
for (const [path, content] of Object.entries(stale)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
  process.stdout.write(`${path}: written\n`);
}
for (const path of left) {
  rmSync(join(folder, path));
  process.stdout.write(`${path}: removed, the generator does not write it\n`);
}
if (Object.keys(stale).length + left.length === 0)
  process.stdout.write(`The fixtures of ${vendor} are up to date.\n`);
