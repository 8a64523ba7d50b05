/** Writes a .br and a .gz file beside each compressible build file, so that the server compresses nothing per request. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(js|css|svg|html|json)$/;
/** Compressing a smaller file saves no packet. */
const minBytes = 1024;

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

export function compressedFiles(): Plugin {
  return {
    name: 'compressed-files',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => compressible.test(name));
      await Promise.all(
        names.map(async (name) => {
          const path = join(dir, name);
          const content = await readFile(path);
          if (content.length < minBytes) return;
          const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
          await Promise.all([
            brotliAsync(content, { params }).then((small) => writeFile(`${path}.br`, small)),
            gzipAsync(content, { level: constants.Z_BEST_COMPRESSION }).then((small) =>
              writeFile(`${path}.gz`, small),
            ),
          ]);
        }),
      );
    },
  };
}
