/** Escapes text for HTML. Everything on the page goes through this function or `markdown`. */
export function escapeHtml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => names[character] ?? character);
}

/** Markdown within a line, of which descriptions use only `code`. */
export function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** Markdown paragraphs and lists, separated by empty lines. */
export function markdown(text: string): string {
  const block = (lines: string) => {
    if (!lines.startsWith('- ')) return `<p>${inline(lines)}</p>`;
    const items = lines.split('\n').map((line) => `<li>${inline(line.slice('- '.length))}</li>`);
    return `<ul>${items.join('')}</ul>`;
  };
  return text.split('\n\n').map(block).join('\n');
}

/** A table that scrolls sideways in a narrow window. Cells are HTML. */
export function table(head: string[], rows: string[][]): string {
  const row = (cells: string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  const body = rows.map((cells) => row(cells, 'td')).join('\n');
  return `<div class="wide"><table><thead>${row(head, 'th')}</thead><tbody>\n${body}\n</tbody></table></div>`;
}

/** A block of code that can be scrolled by keyboard. */
export function pre(text: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
}
