/** Builds the console: libraries and shared modules apart from the pages, because they change less often and every page needs them. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedFiles } from './build/compressed-files.ts';
import { pageStarts, preloadedFont } from './build/page-starts.ts';
import { withoutJsonSchema } from './build/without-json-schema.ts';

const frame = 'src/shell/main-layout.tsx';
/** Modules that the router and the pages import at the start. */
const startModules = {
  index: [frame],
  login: ['src/screens/login/login-screen.tsx'],
  dashboard: [frame, 'src/shell/dashboard-page.tsx'],
  record: [frame, 'src/shell/one-record-page.tsx'],
};

/** The start and the modules that the signed-in pages share with the login page. */
const neededByAll =
  /(console\/src\/(main\.tsx|api\/(query-keys|api-query)\.ts|widgets\/(text-input|vendor-mark)\.tsx)|contract\/(avatar-path|plain-text|integer-text|dates\/time-zone)\.ts|icons-svg\/es\/asn\/(CloseCircleFilled|EyeInvisibleOutlined)\.js)$/;

/** Chunks that the login page does not wait for: lists and components of antd. */
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
    // All browsers of this target preload modules themselves.
    modulePreload: { polyfill: false },
    // Inlined fonts and drawings would enlarge the first script of every page.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // HTTP/1.1 has six connections, so the first scripts of a list are at most six files and arrive in one round trip.
            {
              name: 'packages',
              test: /node_modules[/](react|react-dom|scheduler|@tanstack|zod)[/]/,
              priority: 30,
            },
            // Each chunk includes its imports: many small files load more slowly than one, and compress worse.
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
              test: /console\/src\/shell\/dashboard-page\.tsx$/,
              priority: 3,
            },
            { name: 'summary', test: /console\/src\/summary\/(facet|date-)/, priority: 9 },
            {
              name: 'console',
              test: /(shell\/(main-layout|list-page)\.tsx|list\/model\/prefetch-list\.ts)$/,
              priority: 10,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': process.env['API'] ?? 'http://127.0.0.1:8080' } },
});
