// The look of all plots, the same in the page and in files of their own.

/** Okabe and Ito's colors, which those can tell who confuse red and green; in the dark, brighter. */
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

export const SERIES_COUNT = SERIES.length;

const colors = (shade: 0 | 1) => SERIES.map((pair, i) => `--s${i}:${pair[shade]}`).join(';');

export const PLOT_COLORS = {
  light: `--ink:#1c2024;--soft:#5a636d;--paper:#fff;--tint:#f3f5f7;--line:#d9dee3;--accent:#0b57a4;${colors(0)}`,
  dark: `--ink:#e4e8ec;--soft:#a2acb6;--paper:#14171a;--tint:#1f2428;--line:#363d44;--accent:#7db8f5;${colors(1)}`,
};

const series = SERIES.map(
  (_, i) => `svg .l${i}{stroke:var(--s${i})}svg .f${i}{fill:var(--s${i});stroke:var(--paper);stroke-width:1}`,
).join('');

export const PLOT_STYLE = `svg text{font:12px system-ui,sans-serif;fill:var(--ink)}svg .soft{fill:var(--soft);font-size:11px}
svg .title{font-weight:600;font-size:13px}svg .end{text-anchor:end}svg .mid{text-anchor:middle}
svg .grid{stroke:var(--line);stroke-width:1}svg .axis{stroke:var(--soft);stroke-width:1}svg polyline{fill:none;stroke-width:1.6}
svg polyline.ours{stroke-width:2.6}svg .bar{stroke-width:2.4}${series}`;

/** A drawing as a file of its own, for pages that only link to it. */
export function standalone(svg: string): string {
  const style = `<style>svg{${PLOT_COLORS.light};background:var(--paper)}@media (prefers-color-scheme:dark){svg{${PLOT_COLORS.dark}}}${PLOT_STYLE}</style>`;
  return svg.replace(/^(<svg [^>]*>)/, `$1${style}`);
}
