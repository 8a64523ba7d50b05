/** A five-field cron line in words: 'Daily at 03:15 UTC'. A line that is out of the ordinary is shown as it is. */

const weekdays = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];
const two = (text: string) => text.padStart(2, '0');
const isNumber = (text: string) => /^\d{1,2}$/.test(text);

export function scheduleWords(cron: string): string {
  const [minute = '', hour = '', dayOfMonth = '', month = '', weekday = '', ...rest] = cron.trim().split(/\s+/);
  const odd = `Cron ${cron} UTC`;
  if (rest.length > 0 || month !== '*') return odd;
  const everyDay = dayOfMonth === '*' && weekday === '*';

  const minuteStep = /^\*\/(\d{1,2})$/.exec(minute)?.[1];
  if (everyDay && hour === '*' && minuteStep !== undefined) return `Every ${minuteStep} minutes`;
  if (!isNumber(minute)) return odd;
  if (everyDay && hour === '*') return `Hourly at :${two(minute)}`;
  const hourStep = /^(?:\*|\d{1,2}(?:-23)?)\/(\d{1,2})$/.exec(hour)?.[1];
  if (everyDay && hourStep !== undefined) return `Every ${hourStep} hours at :${two(minute)}`;

  const hours = hour.split(',');
  if (!hours.every(isNumber)) return odd;
  const times = `${hours.map((each) => `${two(each)}:${two(minute)}`).join(', ')} UTC`;
  if (everyDay) return `Daily at ${times}`;
  if (dayOfMonth === '*' && isNumber(weekday)) return `${weekdays[Number(weekday) % 7]} at ${times}`;
  if (isNumber(dayOfMonth) && weekday === '*') return `Monthly on day ${dayOfMonth} at ${times}`;
  return odd;
}
