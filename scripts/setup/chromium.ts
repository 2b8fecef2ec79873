import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome', 'chrome.exe', 'msedge.exe'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** The browser for tests: the program that TRACESMITH_CHROMIUM names, or one on PATH. */
export function findChromium(): string | undefined {
  const given = process.env.TRACESMITH_CHROMIUM ?? '';
  if (given !== '') return given;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const files = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...files, MAC].find((file) => existsSync(file));
}
