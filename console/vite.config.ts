/** How the console is built: what changes seldom or is needed by every page apart from the pages themselves. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedFiles } from './build/compressed-files.ts';
import { preloadedFont } from './build/preloaded-font.ts';

export default defineConfig({
  plugins: [react(), preloadedFont(), compressedFiles()],
  build: {
    target: 'baseline-widely-available',
    sourcemap: false,
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
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': process.env['API'] ?? 'http://127.0.0.1:8080' } },
});
