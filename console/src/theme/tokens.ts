/** All colours, sizes and durations of the console. Its CSS reads them as variables (`--colour-text`, `--space-4`), antd through the theme, and code by import. */
import type { severities } from '@patch/catalogue/schemas/severities.ts';

export const themeNames = ['light', 'dark'] as const;
export type ThemeName = (typeof themeNames)[number];

type PerTheme = Readonly<Record<ThemeName, string>>;

/** Every text colour reaches a contrast of 4.5:1 on `surface`, `canvas` and `raised`. */
export const colours = {
  canvas: { light: '#f6f7f9', dark: '#0f1318' },
  surface: { light: '#ffffff', dark: '#161b21' },
  raised: { light: '#ffffff', dark: '#1c222a' },
  hover: { light: '#f0f2f5', dark: '#222932' },
  selected: { light: '#e8f0fe', dark: '#1b2c47' },
  border: { light: '#e2e5ea', dark: '#2a313a' },
  borderStrong: { light: '#c6ccd4', dark: '#3d4651' },
  text: { light: '#1a2027', dark: '#e7eaee' },
  textQuiet: { light: '#57606b', dark: '#a4adb8' },
  textDisabled: { light: '#858d97', dark: '#79828d' },
  accent: { light: '#0958d9', dark: '#6ea8fe' },
  accentHover: { light: '#0a49b0', dark: '#93bffe' },
  accentTint: { light: '#e8f0fe', dark: '#1b2c47' },
  /** Text on an accent background. */
  onAccent: { light: '#ffffff', dark: '#0b1626' },
  success: { light: '#1a7346', dark: '#5fd18f' },
  successTint: { light: '#e6f5ec', dark: '#15311f' },
  warning: { light: '#8a5a00', dark: '#efc05c' },
  warningTint: { light: '#fdf3dc', dark: '#352a10' },
  danger: { light: '#c0231b', dark: '#ff8f87' },
  dangerTint: { light: '#fdecea', dark: '#3d1d1c' },
  critical: { light: '#c0231b', dark: '#ff8f87' },
  important: { light: '#b04a00', dark: '#ffab70' },
  moderate: { light: '#826000', dark: '#ecc94b' },
  low: { light: '#1a5fc4', dark: '#85b8ff' },
  unranked: { light: '#57606b', dark: '#a4adb8' },
  unrankedTint: { light: '#eff1f4', dark: '#252c35' },
  mask: { light: 'rgb(15 20 27 / 45%)', dark: 'rgb(3 5 8 / 65%)' },
} as const satisfies Record<string, PerTheme>;

export type ColourName = keyof typeof colours;

/** Returns the CSS variable of a colour: colour('danger') is `var(--colour-danger)`. */
export const colour = (name: ColourName): string => `var(--colour-${kebab(name)})`;

export const severityLooks: Readonly<
  Record<(typeof severities)[number], { readonly colour: ColourName }>
> = {
  Critical: { colour: 'critical' },
  Important: { colour: 'important' },
  Moderate: { colour: 'moderate' },
  Low: { colour: 'low' },
  None: { colour: 'unranked' },
  Unspecified: { colour: 'unranked' },
};

/** Marks of vendors share lightness and chroma, so that they look alike. Each vendor sets the hue in degrees. */
export const markLightness: PerTheme = { light: '47%', dark: '80%' };
export const markChroma: PerTheme = { light: '0.11', dark: '0.1' };
export const markGround: PerTheme = { light: '11%', dark: '18%' };

export const space = 4;
export const radius = 6;
export const fontSizes = { small: 12, dense: 13, body: 14, lead: 16, title: 20 } as const;
export const rowLineHeight = 20;
/** Row heights of lists by density. */
export const rowHeights = { comfortable: 44, dense: 32 } as const;
/** Typical height of a record on a narrow screen. */
export const cardHeight = 190;
export const fontText = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif";
export const fontMono =
  "'JetBrains Mono Variable', ui-monospace, 'Cascadia Mono', Menlo, monospace";

/** Milliseconds. Motion stays under 200; the specification sets the delays. */
export const durations = {
  quick: 100,
  /** Replies that arrive sooner show no loading indicator. */
  waitShows: 300,
  motion: 160,
  changePasswordOpens: 400,
  drawerHides: 500,
  readMoreMeasures: 450,
  lazyShowsLoading: 400,
  lazyTimesOut: 10_000,
  /** A chunk of the console that takes longer has failed. */
  chunkTimesOut: 120_000,
  toast: 3000,
  errorToast: 10_000,
  formValidates: 200,
  /** Pause in typing before a search: for tags, and for the options of a dropdown. */
  tagsSettle: 650,
  dropdownSettles: 750,
  /** Column changes in quick succession are saved once after this pause. */
  widthChange: 100,
  /** A page waits this long for the preferences before it is shown without them. */
  preferencesWait: 1500,
} as const;

export const sizes = {
  header: 48,
  sidebarCollapsed: 50,
  sidebarExpanded: 170,
  /** Width of the sidebar as a drawer on a narrow screen. */
  sidebarDrawer: 240,
  drawer: '45%',
  /** Minimum width of a drawer, because 45% of a small window is unreadable. */
  drawerLeast: 480,
  /** Width of the facet column beside a list. */
  facets: 184,
  /** Narrower windows show the facets as a sheet, so that the rows have enough space. */
  facetsBesideFrom: 1200,
  /** Height of the histogram above a list, with its axis. */
  histogram: 80,
  readMore: 160,
  /** Maximum width of a chosen value in a multiple-choice dropdown. */
  dropdownTag: 150,
  /** Width of the checkbox column. */
  markColumn: 40,
  toastTop: 10,
  toastsAtOnce: 3,
  /** Narrower screens show cards instead of tables, and the sidebar as a drawer. */
  narrowBelow: 768,
} as const;

export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
