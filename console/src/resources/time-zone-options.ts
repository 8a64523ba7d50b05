/**
 * Returns the time zones that this browser knows, as options of a select.
 * @param current - Also a choice where the browser does not list it, such as UTC.
 */
export const listTimeZones = (current?: string) =>
  [
    ...new Set([
      ...Intl.supportedValuesOf('timeZone'),
      ...(current === undefined ? [] : [current]),
    ]),
  ].map((value) => ({ value, label: value.replaceAll('_', ' ') }));
