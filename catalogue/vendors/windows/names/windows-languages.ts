/** Languages of Windows Update's updates, as its server names them; they have not changed in years. */

export interface WindowsLanguage {
  /** Windows language id (LCID); 0 is all. */
  readonly languageId: number;
  readonly shortLanguage: string;
  readonly longLanguage: string;
}

const languages: readonly (readonly [
  languageId: number,
  shortLanguage: string,
  longLanguage: string,
])[] = [
  [0, 'all', 'all'],
  [1025, 'ar', 'Arabic'],
  [1026, 'bg', 'Bulgarian'],
  [2052, 'zh-cn', 'Chinese (Simplified)'],
  [1028, 'zh-tw', 'Chinese (Traditional)'],
  [3076, 'zh-hk', 'Chinese - Hong Kong SAR'],
  [1050, 'hr', 'Croatian'],
  [1029, 'cs', 'Czech'],
  [1030, 'da', 'Danish'],
  [1043, 'nl', 'Dutch'],
  [1033, 'en', 'English'],
  [1061, 'et', 'Estonian'],
  [1035, 'fi', 'Finnish'],
  [1036, 'fr', 'French'],
  [1031, 'de', 'German'],
  [1032, 'el', 'Greek'],
  [1037, 'he', 'Hebrew'],
  [1081, 'hi', 'Hindi'],
  [1038, 'hu', 'Hungarian'],
  [1040, 'it', 'Italian'],
  [1041, 'ja', 'Japanese'],
  [66577, 'ja-nec', 'Japanese NEC'],
  [1042, 'ko', 'Korean'],
  [1062, 'lv', 'Latvian'],
  [1063, 'lt', 'Lithuanian'],
  [1044, 'no', 'Norwegian'],
  [1045, 'pl', 'Polish'],
  [1046, 'pt-br', 'Portuguese (Brazil)'],
  [2070, 'pt', 'Portuguese (Portugal)'],
  [1048, 'ro', 'Romanian'],
  [1049, 'ru', 'Russian'],
  [2074, 'sr', 'Serbian (Latin)'],
  [1051, 'sk', 'Slovak'],
  [1060, 'sl', 'Slovenian'],
  [1034, 'es', 'Spanish'],
  [1053, 'sv', 'Swedish'],
  [1054, 'th', 'Thai'],
  [1055, 'tr', 'Turkish'],
  [1058, 'uk', 'Ukrainian'],
];

export const windowsLanguages: readonly WindowsLanguage[] = languages.map(
  ([languageId, shortLanguage, longLanguage]) => ({
    languageId,
    shortLanguage,
    longLanguage,
  }),
);
