// A browser for the tests of pages.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { say } from '../lib/command.ts';
import { aptInstall, hasApt } from './apt.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome', 'chrome.exe', 'msedge.exe'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** The program that TRACESMITH_CHROMIUM names, or else one on PATH. */
export function findChromium(): string | undefined {
  const given = process.env.TRACESMITH_CHROMIUM ?? '';
  if (given !== '') return given;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const files = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...files, MAC].find((file) => existsSync(file));
}

/** Installs Debian's where there is none. */
export function ensureChromium(): void {
  if (findChromium() !== undefined || !hasApt()) return;
  say('apt-get install chromium (once)');
  aptInstall(['chromium'], 'the tests of pages need Chromium; TRACESMITH_CHROMIUM may name one');
}
