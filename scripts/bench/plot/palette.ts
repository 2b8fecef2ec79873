// The colors of all plots, as custom properties of the page or of the SVG file.

/** Okabe and Ito's palette, which remains distinct with red-green color blindness: for light pages and for dark ones. */
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

/** The color of each series, by its index. */
export const SERIES_COLORS = SERIES.map((_, i) => `var(--s${i})`);

const colors = (shade: 0 | 1) => SERIES.map((pair, i) => `--s${i}:${pair[shade]}`).join(';');

export const PLOT_COLORS = {
  light: `--ink:#1c2024;--soft:#5a636d;--paper:#fff;--tint:#f3f5f7;--line:#d9dee3;--accent:#0b57a4;${colors(0)}`,
  dark: `--ink:#e4e8ec;--soft:#a2acb6;--paper:#14171a;--tint:#1f2428;--line:#363d44;--accent:#7db8f5;${colors(1)}`,
};

/** An SVG that carries the colors it needs, for pages that only link to it. */
export function standalone(svg: string): string {
  const style = `<style>svg{${PLOT_COLORS.light};background:var(--paper)}@media (prefers-color-scheme:dark){svg{${PLOT_COLORS.dark}}}</style>`;
  return svg.replace(/^(<svg [^>]*>)/, `$1${style}`);
}
