/** antd theme made from the design tokens. */
import { theme as antdTheme, ConfigProvider, type ThemeConfig } from 'antd';
import { type ReactNode, useMemo } from 'react';
import { useThemeMode } from '../api/theme-mode.ts';
import { useReducedMotion } from '../theme/media-query.ts';
import {
  colours,
  durations,
  fontMono,
  fontSizes,
  fontText,
  radius,
  sizes,
  space,
  type ThemeName,
} from '../theme/tokens.ts';

export function buildAntdTheme(theme: ThemeName, motion: boolean): ThemeConfig {
  return {
    algorithm: theme === 'dark' ? antdTheme.darkAlgorithm : antdTheme.defaultAlgorithm,
    token: { ...colourTokens(theme), ...shapeTokens, motion },
    components: componentTokens(theme),
  };
}

/** Returns a lookup of colours by name. */
const colourLookup = (theme: ThemeName) => (name: keyof typeof colours) => colours[name][theme];

function colourTokens(theme: ThemeName): NonNullable<ThemeConfig['token']> {
  const of = colourLookup(theme);
  return {
    colorPrimary: of('accent'),
    colorPrimaryHover: of('accentHover'),
    colorInfo: of('accent'),
    colorLink: of('accent'),
    colorLinkHover: of('accentHover'),
    colorSuccess: of('success'),
    colorWarning: of('warning'),
    colorError: of('danger'),
    colorErrorText: of('danger'),
    colorSuccessBg: of('successTint'),
    colorSuccessBorder: of('successTint'),
    colorWarningBg: of('warningTint'),
    colorWarningBorder: of('warningTint'),
    colorErrorBg: of('dangerTint'),
    colorErrorBorder: of('dangerTint'),
    colorInfoBg: of('accentTint'),
    colorInfoBorder: of('accentTint'),
    colorText: of('text'),
    colorTextSecondary: of('textQuiet'),
    colorTextTertiary: of('textQuiet'),
    colorTextDescription: of('textQuiet'),
    colorTextPlaceholder: of('textQuiet'),
    colorTextDisabled: of('textDisabled'),
    colorTextLightSolid: of('onAccent'),
    colorBgBase: of('surface'),
    colorBgLayout: of('canvas'),
    colorBgContainer: of('surface'),
    colorBgElevated: of('raised'),
    colorBgSpotlight: theme === 'dark' ? of('borderStrong') : of('text'),
    colorBgMask: of('mask'),
    colorBorder: of('borderStrong'),
    colorBorderSecondary: of('border'),
    colorSplit: of('border'),
    controlItemBgHover: of('hover'),
    controlItemBgActive: of('selected'),
  };
}

const shapeTokens: NonNullable<ThemeConfig['token']> = {
  fontFamily: fontText,
  fontFamilyCode: fontMono,
  fontSize: fontSizes.body,
  fontSizeSM: fontSizes.small,
  fontSizeLG: fontSizes.lead,
  fontSizeHeading4: fontSizes.title,
  borderRadius: radius,
  borderRadiusLG: radius,
  borderRadiusSM: space,
  sizeUnit: space,
  motionDurationFast: `${durations.quick / 1000}s`,
  motionDurationMid: `${durations.quick / 1000}s`,
  motionDurationSlow: `${durations.motion / 1000}s`,
  boxShadowTertiary: 'none',
};

function componentTokens(theme: ThemeName): NonNullable<ThemeConfig['components']> {
  const of = colourLookup(theme);
  return {
    Button: {
      contentFontSizeSM: fontSizes.dense,
      contentFontSizeLG: fontSizes.body,
      primaryShadow: 'none',
      defaultShadow: 'none',
      dangerShadow: 'none',
    },
    Tooltip: { colorTextLightSolid: '#ffffff' },
    Table: {
      headerBg: of('canvas'),
      headerColor: of('textQuiet'),
      headerSplitColor: 'transparent',
      rowHoverBg: of('hover'),
      rowSelectedBg: of('selected'),
      rowSelectedHoverBg: of('selected'),
      cellFontSize: fontSizes.dense,
      cellFontSizeMD: fontSizes.dense,
      cellFontSizeSM: fontSizes.dense,
      cellPaddingBlock: space * 3,
      cellPaddingBlockMD: space * 2,
      cellPaddingBlockSM: space,
      cellPaddingInlineSM: space * 2,
    },
    Drawer: { paddingLG: space * 5 },
    Modal: { titleFontSize: fontSizes.lead },
  };
}

/** A click beside a dialog does not close it, so that typed text is not lost. The title leaves room for the close button. */
const modal = {
  mask: { closable: false },
  styles: { title: { paddingInlineEnd: space * 6 } },
} as const;

export function AntdTheme({ children }: { readonly children: ReactNode }) {
  const { theme } = useThemeMode();
  const motion = !useReducedMotion();
  const config = useMemo(() => buildAntdTheme(theme, motion), [theme, motion]);
  return (
    <ConfigProvider
      theme={config}
      modal={modal}
      drawer={{ styles: { wrapper: { minWidth: `min(100vw, ${sizes.drawerLeast}px)` } } }}
    >
      {children}
    </ConfigProvider>
  );
}
