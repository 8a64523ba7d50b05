/** Severity icons on a grid of 16. The word always stands beside them. */
import type { Severity } from '@patch/catalogue/schemas/severities.ts';
import type { ReactNode } from 'react';
import { colour, severityLooks } from '../theme/tokens.ts';

/** The shape alone identifies a severity: octagon for stop, triangle for warning. */
const shapes: Readonly<Record<Severity, ReactNode>> = {
  Critical: (
    <>
      <path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" fill="currentColor" />
      <path
        d="M8 4.5v4M8 11v.6"
        stroke="var(--colour-surface)"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
    </>
  ),
  Important: (
    <>
      <path
        d="M8 1.6 15.2 14H.8z"
        fill="currentColor"
        stroke="currentColor"
        strokeLinejoin="round"
      />
      <path
        d="M8 6.2v3.4M8 11.8v.4"
        stroke="var(--colour-surface)"
        strokeWidth="1.7"
        strokeLinecap="round"
      />
    </>
  ),
  Moderate: (
    <path
      d="M8 1.5 14.5 8 8 14.5 1.5 8z"
      fill="currentColor"
      stroke="currentColor"
      strokeLinejoin="round"
    />
  ),
  Low: (
    <path
      d="M8 2.5v10M3.5 8.5 8 13l4.5-4.5"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
  None: <path d="M3 8h10" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />,
  Unspecified: (
    <path
      d="M5.2 5.6a2.8 2.8 0 1 1 4.3 2.3C8.5 8.6 8 9 8 10.2M8 13v.3"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
    />
  ),
};

export function SeverityIcon({ severity }: { readonly severity: Severity }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="1em"
      height="1em"
      aria-hidden="true"
      style={{ color: colour(severityLooks[severity].colour), flex: 'none' }}
    >
      {shapes[severity]}
    </svg>
  );
}
