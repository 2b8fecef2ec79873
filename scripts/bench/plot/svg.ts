// Pieces of SVG. Colors are custom properties, so that one drawing serves light and dark pages.
export const escape_ = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const round = (value: number) => Number(value.toFixed(1));

export function text(x: number, y: number, content: string, classes = ''): string {
  return `<text x="${round(x)}" y="${round(y)}" class="${classes}">${escape_(content)}</text>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, classes: string): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" class="${classes}"/>`;
}

export function polyline(points: readonly (readonly [number, number])[], classes: string): string {
  const list = points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ');
  return `<polyline points="${list}" class="${classes}"/>`;
}

/** Marks differ in form too, for those who cannot tell the colors. */
export function mark(x: number, y: number, form: number, classes: string, title: string): string {
  const [cx, cy] = [round(x), round(y)];
  const inner = `<title>${escape_(title)}</title>`;
  const paths = [
    'm-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z',
    'm-3.7-3.7h7.4v7.4h-7.4z',
    'm0-4.8 4.8 4.8-4.8 4.8-4.8-4.8z',
    'm0-4.6 4.6 8h-9.2z',
    'm0 4.6 4.6-8h-9.2z',
  ];
  return `<path d="M${cx} ${cy}${paths[form % paths.length]}" class="${classes}">${inner}</path>`;
}

export function rect(
  box: { x: number; y: number; width: number; height: number },
  classes: string,
  title = '',
): string {
  const { x, y, width, height } = box;
  const size = `x="${round(x)}" y="${round(y)}" width="${round(Math.max(0, width))}" height="${round(height)}"`;
  return `<rect ${size} class="${classes}">${title === '' ? '' : `<title>${escape_(title)}</title>`}</rect>`;
}

/** A whole drawing; its label is what a screen reader says. */
export function figure(width: number, height: number, label: string, parts: string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${Math.ceil(height)}" role="img" aria-label="${escape_(label)}">${parts.join('')}</svg>`;
}
