/** What is fetched together once the first rows are there. */
export { DateHistogram } from './date-histogram.tsx';
export { FacetPanel } from './facet-panel.tsx';
