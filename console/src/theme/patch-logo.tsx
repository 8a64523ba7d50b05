/** The product's logo: a sewn-on patch. The same drawing as patch-logo.svg, in the theme's colours. */
export function PatchLogo({ size }: { readonly size: number }) {
  return (
    <svg
      viewBox="0 0 32 32"
      width={size}
      height={size}
      fill="none"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <rect x="2" y="2" width="28" height="28" rx="8" fill="var(--colour-accent)" />
      <g stroke="var(--colour-on-accent)">
        <rect
          x="6.5"
          y="6.5"
          width="19"
          height="19"
          rx="4.5"
          strokeOpacity="0.65"
          strokeWidth="1.5"
          strokeDasharray="3 2.4"
        />
        <path d="m11.2 16.3 3.3 3.3 6.3-6.8" strokeWidth="2.6" strokeLinejoin="round" />
      </g>
    </svg>
  );
}
