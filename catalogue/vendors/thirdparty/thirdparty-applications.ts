/** The applications of the third-party list, each with its category and sources. */
import type { thirdPartyCategories } from './thirdparty-list.ts';

export type ThirdPartyCategory = (typeof thirdPartyCategories)[number];

export interface Application {
  /** The package's identifier in winget's catalogue, with the case of its folders. */
  readonly id: string;
  readonly category: ThirdPartyCategory;
  /** Names used when no source states them. */
  readonly name: string;
  readonly manufacturer: string;
  /** Bucket and manifest: 'Main/7zip'. */
  readonly scoop?: string;
  /** Token of the Homebrew cask. */
  readonly cask?: string;
  readonly vendor?: VendorSource;
}

export type VendorSource =
  /** `newest` is the channel's key in Mozilla's product details. */
  | { readonly of: 'mozilla'; readonly product: 'firefox' | 'thunderbird'; readonly newest: string }
  | { readonly of: 'chrome for testing' };

export const applications: readonly Application[] = [
  browser('Google.Chrome', 'Google Chrome', 'Google LLC', {
    scoop: 'Extras/googlechrome',
    cask: 'google-chrome',
  }),
  browser('Google.ChromeForTesting', 'Google Chrome for Testing', 'Google LLC', {
    vendor: { of: 'chrome for testing' },
  }),
  browser('Mozilla.Firefox', 'Mozilla Firefox', 'Mozilla', {
    scoop: 'Extras/firefox',
    cask: 'firefox',
    vendor: { of: 'mozilla', product: 'firefox', newest: 'LATEST_FIREFOX_VERSION' },
  }),
  browser('Mozilla.Firefox.ESR', 'Mozilla Firefox ESR', 'Mozilla', {
    scoop: 'Extras/firefox-esr',
    cask: 'firefox@esr',
    vendor: { of: 'mozilla', product: 'firefox', newest: 'FIREFOX_ESR' },
  }),
  browser('Microsoft.Edge', 'Microsoft Edge', 'Microsoft Corporation', { cask: 'microsoft-edge' }),
  browser('Opera.Opera', 'Opera Stable', 'Opera Software', {
    scoop: 'Extras/opera',
    cask: 'opera',
  }),
  browser('Opera.OperaGX', 'Opera GX', 'Opera Software', {
    scoop: 'Extras/opera-gx',
    cask: 'opera-gx',
  }),
  browser('Brave.Brave', 'Brave', 'Brave Software Inc', {
    scoop: 'Extras/brave',
    cask: 'brave-browser',
  }),
  browser('Vivaldi.Vivaldi', 'Vivaldi', 'Vivaldi Technologies AS', {
    scoop: 'Extras/vivaldi',
    cask: 'vivaldi',
  }),
  browser('TorProject.TorBrowser', 'Tor Browser', 'The Tor Project', {
    scoop: 'Extras/tor-browser',
    cask: 'tor-browser',
  }),
  browser('Waterfox.Waterfox', 'Waterfox', 'BrowserWorks Ltd', {
    scoop: 'Extras/waterfox',
    cask: 'waterfox',
  }),
  browser('LibreWolf.LibreWolf', 'LibreWolf', 'LibreWolf Community', {
    scoop: 'Extras/librewolf',
    cask: 'librewolf',
  }),
  browser('Zen-Team.Zen-Browser', 'Zen Browser', 'Zen Team', {
    scoop: 'Extras/zen-browser',
    cask: 'zen',
  }),
  browser('eloston.ungoogled-chromium', 'ungoogled-chromium', 'eloston', {
    scoop: 'Extras/ungoogled-chromium',
    cask: 'ungoogled-chromium',
  }),
  browser('Ablaze.Floorp', 'Floorp', 'Ablaze', { scoop: 'Extras/floorp', cask: 'floorp' }),
  browser('MoonchildProductions.PaleMoon', 'Pale Moon', 'Moonchild Productions', {
    scoop: 'Extras/palemoon',
  }),
  browser('Mozilla.SeaMonkey', 'SeaMonkey', 'The SeaMonkey Project', {
    scoop: 'Extras/seamonkey',
    cask: 'seamonkey',
  }),
  browser('qutebrowser.qutebrowser', 'qutebrowser', 'Florian Bruhin', {
    scoop: 'Extras/qutebrowser',
    cask: 'qutebrowser',
  }),
  browser('Yandex.Browser', 'Yandex Browser', 'YANDEX', { cask: 'yandex' }),
  browser('TheBrowserCompany.Arc', 'Arc', 'The Browser Company', { cask: 'arc' }),

  compression('7zip.7zip', '7-Zip', 'Igor Pavlov', { scoop: 'Main/7zip' }),
  compression('mcmilk.7zip-zstd', '7-Zip ZS', 'Tino Reichardt', { scoop: 'Extras/7zip-zstd' }),
  compression('RARLab.WinRAR', 'WinRAR', 'win.rar GmbH', { scoop: 'Extras/winrar' }),
  compression('Giorgiotani.Peazip', 'PeaZip', 'Giorgio Tani', {
    scoop: 'Extras/peazip',
    cask: 'peazip',
  }),
  compression('M2Team.NanaZip', 'NanaZip', 'M2-Team', { scoop: 'Main/nanazip' }),
  compression('Bandisoft.Bandizip', 'Bandizip', 'Bandisoft International Inc.', {
    scoop: 'Extras/bandizip',
    cask: 'bandizip',
  }),
  compression('Corel.WinZip', 'WinZip', 'Corel Corporation', { cask: 'winzip' }),

  office('TheDocumentFoundation.LibreOffice', 'LibreOffice', 'The Document Foundation', {
    scoop: 'Extras/libreoffice',
    cask: 'libreoffice',
  }),
  office('ONLYOFFICE.DesktopEditors', 'ONLYOFFICE Desktop Editors', 'Ascensio System SIA', {
    scoop: 'Extras/onlyoffice-desktopeditors',
    cask: 'onlyoffice',
  }),
  office('Apache.OpenOffice', 'OpenOffice', 'Apache Software Foundation', {
    scoop: 'Extras/openoffice',
    cask: 'openoffice',
  }),
  office('Microsoft.Office', 'Microsoft 365 Apps', 'Microsoft Corporation', {
    cask: 'microsoft-office',
  }),
  office('Kingsoft.WPSOffice', 'WPS Office', 'Kingsoft Corp.', {
    scoop: 'Extras/wpsoffice',
    cask: 'wpsoffice',
  }),
  office('SoftMaker.FreeOffice.2024', 'SoftMaker FreeOffice 2024', 'SoftMaker Software GmbH', {
    cask: 'freeoffice',
  }),
  office('Mozilla.Thunderbird', 'Mozilla Thunderbird', 'Mozilla', {
    scoop: 'Extras/thunderbird',
    cask: 'thunderbird',
    vendor: { of: 'mozilla', product: 'thunderbird', newest: 'LATEST_THUNDERBIRD_VERSION' },
  }),
  office('Adobe.Acrobat.Reader.64-bit', 'Adobe Acrobat Reader (64-bit)', 'Adobe', {
    cask: 'adobe-acrobat-reader',
  }),
  office('Foxit.FoxitReader', 'Foxit PDF Reader', 'Foxit Software Inc.', {
    scoop: 'Extras/foxit-pdf-reader',
    cask: 'foxitreader',
  }),
  office('SumatraPDF.SumatraPDF', 'SumatraPDF', 'Krzysztof Kowalczyk', {
    scoop: 'Extras/sumatrapdf',
  }),
  office('TrackerSoftware.PDF-XChangeEditor', 'PDF-XChange Editor', 'PDF-XChange Co Ltd.', {
    scoop: 'Extras/pdf-xchange-editor',
  }),
  office('PDFsam.PDFsam', 'PDFsam Basic', 'Sober Lemur S.r.l.', {
    scoop: 'Extras/pdfsam',
    cask: 'pdfsam-basic',
  }),
  office('calibre.calibre', 'calibre', 'Kovid Goyal', { scoop: 'Extras/calibre', cask: 'calibre' }),
];

type Sources = Pick<Application, 'scoop' | 'cask' | 'vendor'>;

function browser(id: string, name: string, manufacturer: string, sources: Sources): Application {
  return { id, name, manufacturer, category: 'BROWSER', ...sources };
}

function compression(
  id: string,
  name: string,
  manufacturer: string,
  sources: Sources,
): Application {
  return { id, name, manufacturer, category: 'COMPRESSION', ...sources };
}

function office(id: string, name: string, manufacturer: string, sources: Sources): Application {
  return { id, name, manufacturer, category: 'OFFICE', ...sources };
}
