/** A text of which less is shown than is said: screen readers and the tip have the whole text. */

interface ShortenedTextProps {
  readonly value: string;
  /** Undefined: all of the text. */
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

/** Of the element around it. */
export const tipOfText = (value: string, shown: string | undefined) =>
  shown === undefined ? { 'data-tip-when-cut': value } : { 'data-tip': value };
