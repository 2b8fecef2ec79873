// The colors of all plots, as custom properties of the page or of the SVG file: on light pages, and on dark ones.

/** Okabe and Ito's palette, which remains distinct with red-green color blindness. */
const SERIES = [
  ['#0b57a4', '#7db8f5'],
  ['#2e9bd6', '#3f8fd0'],
  ['#d55e00', '#ff9350'],
  ['#b98900', '#e9c24a'],
  ['#009e73', '#3fcf9f'],
  ['#b04f88', '#ee9ccb'],
  ['#6d6d6d', '#b5b5b5'],
  ['#7a4b2a', '#c79a75'],
  ['#4b3fa8', '#a99cf5'],
  ['#86a315', '#c2dd5b'],
] as const;

const PAGE = {
  ink: ['#1c2024', '#e4e8ec'],
  soft: ['#5a636d', '#a2acb6'],
  paper: ['#fff', '#14171a'],
  tint: ['#f3f5f7', '#1f2428'],
  line: ['#d9dee3', '#363d44'],
} as const;

/** The color of each series, by its index. */
export const SERIES_COLORS = SERIES.map((_, i) => `var(--s${i})`);

const colors = [...Object.entries(PAGE), ...SERIES.map((pair, i) => [`s${i}`, pair] as const)];
const properties = colors.map(([name, [light, dark]]) => `--${name}:light-dark(${light},${dark})`);

/** Declarations for the outermost element. */
export const PLOT_COLORS = ['color-scheme:light dark', ...properties].join(';');

/** An SVG that carries the colors it needs, for pages that only link to it. */
export function standalone(svg: string): string {
  return svg.replace(/^(<svg [^>]*>)/, `$1<style>svg{${PLOT_COLORS};background:var(--paper)}</style>`);
}
