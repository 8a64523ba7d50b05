/** How the console is built: what changes seldom or is needed by every page apart from the pages themselves. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedFiles } from './build/compressed-files.ts';
import { preloadedFont } from './build/preloaded-font.ts';
import { withoutJsonSchema } from './build/without-json-schema.ts';

export default defineConfig({
  plugins: [react(), preloadedFont(), withoutJsonSchema(), compressedFiles()],
  build: {
    target: 'baseline-widely-available',
    sourcemap: false,
    // Every browser of that target preloads modules by itself.
    modulePreload: { polyfill: false },
    // Fonts and drawings are files of their own: inlined, every page's first script would carry them.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 30 },
            { name: 'tanstack', test: /node_modules\/@tanstack\//, priority: 20 },
            { name: 'zod', test: /node_modules\/zod\//, priority: 20 },
            // Each with what it imports: many small files take longer than one, and compress worse.
            { name: 'app', test: /console\/src\/main\.tsx$/, priority: 12 },
            { name: 'frame', test: /shell\/main-layout\.tsx$/, priority: 11 },
            { name: 'summary', test: /console\/src\/summary\/(facet|date-)/, priority: 9 },
            { name: 'list', test: /shell\/list-page\.tsx$/, priority: 10 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': process.env['API'] ?? 'http://127.0.0.1:8080' } },
});
