/** The time zones that this browser knows, as options of a select. */
export const timeZoneOptions = Intl.supportedValuesOf('timeZone').map((value) => ({
  value,
  label: value.replaceAll('_', ' '),
}));
