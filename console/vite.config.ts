/** How the console is built: what changes seldom or is needed by every page apart from the pages themselves. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedFiles } from './build/compressed-files.ts';
import { pageStarts } from './build/page-starts.ts';
import { preloadedFont } from './build/preloaded-font.ts';
import { withoutJsonSchema } from './build/without-json-schema.ts';

const frame = 'src/shell/main-layout.tsx';
/** What the router and the pages import when they are opened. */
const startModules = {
  index: [frame],
  login: ['src/screens/login/login-screen.tsx'],
  dashboard: [frame, 'src/screens/dashboard/dashboard-screen.tsx'],
  record: [frame, 'src/shell/one-record-page.tsx'],
};

/** The start, and what both the signed-in pages and the login page are made of. */
const neededByAll =
  /(console\/src\/(main\.tsx|api\/query-keys\.ts|widgets\/(text-input|vendor-mark)\.tsx)|contract\/(avatar-path|plain-text|integer-text|dates\/time-zone)\.ts|icons-svg\/es\/asn\/(CloseCircleFilled|EyeInvisibleOutlined)\.js)$/;

/** Who signs in waits for nothing of the lists and for no component of antd's. */
const notAtLogin = /^assets\/(antd|console|summary)-/;

export default defineConfig({
  plugins: [
    react(),
    preloadedFont(),
    withoutJsonSchema(),
    pageStarts(startModules, { login: notAtLogin }),
    compressedFiles(),
  ],
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
            // HTTP/1.1 has six connections: what a list needs first comes in as many files, and so in one round trip.
            {
              name: 'packages',
              test: /node_modules[/](react|react-dom|scheduler|@tanstack|zod)[/]/,
              priority: 30,
            },
            // Each with what it imports: many small files take longer than one, and compress worse.
            { name: 'app', test: neededByAll, priority: 12 },
            { name: 'antd', test: /console\/src\/widgets\/antd-theme\.tsx$/, priority: 8 },
            {
              name: 'login',
              test: /console\/src\/screens\/login\/login-screen\.tsx$/,
              priority: 5,
            },
            { name: 'record', test: /console\/src\/shell\/one-record-page\.tsx$/, priority: 4 },
            {
              name: 'dashboard',
              test: /console\/src\/screens\/dashboard\/dashboard-screen\.tsx$/,
              priority: 3,
            },
            { name: 'summary', test: /console\/src\/summary\/(facet|date-)/, priority: 9 },
            {
              name: 'console',
              test: /(shell\/(main-layout|list-page)\.tsx|list\/prefetch-list\.ts)$/,
              priority: 10,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': process.env['API'] ?? 'http://127.0.0.1:8080' } },
});
