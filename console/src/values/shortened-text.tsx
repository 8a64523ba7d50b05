/** Shows a part of a text. Screen readers and the tip get all of it. */

interface ShortenedTextProps {
  readonly value: string;
  /** Undefined shows all of the text. */
  readonly shown: string | undefined;
}

export function ShortenedText({ value, shown }: ShortenedTextProps) {
  if (shown === undefined) return value;
  return (
    <>
      <span aria-hidden>{shown}</span>
      <span className="visually-hidden">{value}</span>
    </>
  );
}

/** Returns the tip attributes of the element around the text. */
export const buildTextTip = (value: string, shown: string | undefined) =>
  shown === undefined ? { 'data-tip-when-cut': value } : { 'data-tip': value };
